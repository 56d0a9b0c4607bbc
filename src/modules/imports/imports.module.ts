import { Module } from '@nestjs/common';
import { ContainerEraser } from '../../platform/containment/container-eraser.js';
import { ArtifactsModule } from '../artifacts/artifacts.module.js';
import { CommentsModule } from '../comments/comments.module.js';
import { DemandsModule } from '../demands/demands.module.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { IterationsModule } from '../iterations/iterations.module.js';
import { OperationsModule } from '../operations/operations.module.js';
import { RelationsModule } from '../relations/relations.module.js';
import { RitualsModule } from '../rituals/rituals.module.js';
import { RulesModule } from '../rules/rules.module.js';
import { TasksModule } from '../tasks/tasks.module.js';
import { TemplatesModule } from '../templates/templates.module.js';
import { TimeEntriesModule } from '../time-entries/time-entries.module.js';
import { ViewsModule } from '../views/views.module.js';
import { DocumentContexts } from './documents/document-contexts.service.js';
import { DocumentEndeavours } from './documents/document-endeavours.service.js';
import { DocumentLinksRepository } from './documents/document-links.repository.js';
import { DocumentBatches } from './documents/document-batches.service.js';
import { DocumentRelations } from './documents/document-relations.service.js';
import { DocumentSections } from './documents/document-sections.service.js';
import { ImportCleanup } from './import-cleanup.js';
import { ImportedItems } from './items/imported-items.service.js';
import { ImportLimiter } from './import-limiter.js';
import { ImportBatches } from './import-batches.service.js';
import { ImportNotesRepository } from './import-notes.repository.js';
import { ImportSourcesRepository } from './import-sources.repository.js';
import { ImportedPatches } from './items/imported-patches.service.js';
import { ImportedRemarks } from './items/imported-remarks.service.js';
import { ImportedUpdates } from './items/imported-updates.service.js';
import { ImportedWorkLogs } from './items/imported-work-logs.service.js';
import { OwnListItems } from './reading/own-list-items.service.js';
import { ItemReferences } from './items/item-references.service.js';
import { ImportsController } from './imports.controller.js';
import { ImportsRepository } from './imports.repository.js';
import { ImportsService } from './imports.service.js';
import { ImportUndoRepository } from './undo/import-undo.repository.js';
import { ImportUndoController } from './undo/import-undo.controller.js';
import { ImportUndo } from './undo/import-undo.service.js';

@Module({
  imports: [
    ArtifactsModule,
    CommentsModule,
    DemandsModule,
    EndeavoursModule,
    IterationsModule,
    OperationsModule,
    RelationsModule,
    RitualsModule,
    RulesModule,
    TasksModule,
    TemplatesModule,
    TimeEntriesModule,
    ViewsModule,
  ],
  controllers: [ImportsController, ImportUndoController],
  providers: [
    DocumentContexts,
    DocumentEndeavours,
    DocumentLinksRepository,
    DocumentBatches,
    DocumentRelations,
    DocumentSections,
    ImportCleanup,
    ImportedItems,
    ImportedPatches,
    ImportedRemarks,
    ImportedUpdates,
    ImportedWorkLogs,
    ImportBatches,
    ImportLimiter,
    ImportNotesRepository,
    ImportSourcesRepository,
    ImportsRepository,
    ImportsService,
    ItemReferences,
    ImportUndo,
    ImportUndoRepository,
    OwnListItems,
  ],
})
export class ImportsModule {
  constructor(eraser: ContainerEraser) {
    eraser.attach({
      parts: [
        ...['container_id', 'entity_id'].map((column) => ({ table: 'imported_entities', column })),
        ...['import_sources', 'import_results'].map((table) => ({ table, column: 'entity_id' })),
      ],
    });
  }
}
