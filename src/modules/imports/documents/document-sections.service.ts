import { Injectable } from '@nestjs/common';
import type { JsonRecord } from '../../../common/texts/json.js';
import { importedRank } from '../../../common/ranks.js';
import { importedNumber } from '../../../common/work-keys.js';
import { ArtifactsService } from '../../artifacts/artifacts.service.js';
import { ImportedArtifacts } from '../../artifacts/imported-artifacts.service.js';
import { ImportedComments } from '../../comments/imported-comments.service.js';
import { demandLifecycle } from '../../demands/demand.lifecycle.js';
import { DemandsService } from '../../demands/demands.service.js';
import { ImportedDemands } from '../../demands/imported-demands.service.js';
import { ImportedIterations } from '../../iterations/imported-iterations.service.js';
import { iterationLifecycle } from '../../iterations/iteration.lifecycle.js';
import { IterationsService } from '../../iterations/iterations.service.js';
import { ImportedRituals } from '../../rituals/imported-rituals.service.js';
import { ritualLifecycle } from '../../rituals/ritual.lifecycle.js';
import { RitualsService } from '../../rituals/rituals.service.js';
import { ImportedRules } from '../../rules/imported-rules.service.js';
import { ImportedTasks } from '../../tasks/imports/imported-tasks.service.js';
import { TasksService } from '../../tasks/tasks.service.js';
import { ImportedTemplates, type ImportedTemplate } from '../../templates/imported-templates.service.js';
import { templateLifecycle } from '../../templates/template.lifecycle.js';
import { TemplatesService } from '../../templates/templates.service.js';
import { ImportedTimeEntries } from '../../time-entries/imported-time-entries.service.js';
import { ImportedViews } from '../../views/imported-views.service.js';
import { ViewsService } from '../../views/views.service.js';
import { commentOf, containerOfComment } from './document-comments.js';
import type { DocumentContext } from './document-context.js';
import { inEither, inEndeavour, inOrganization, updateWithPatch, type DocumentHandler } from './document-handler.js';
import { taskOf } from './document-tasks.js';
import { timeEntryOf } from './document-time-entries.js';
import type { DocumentSection } from './document.format.js';
import { validBodyOf } from '../reading/line-refusals.js';
import * as items from './document-items.js';
import { ruleBody, viewBody } from './document-queries.js';

const TEMPLATE = items.copiedFields<Omit<ImportedTemplate['dto'], 'container'>>({
  name: true,
  description: true,
  scope: true,
  type: true,
  lang: true,
  body: true,
});

/** Returns the status with the fields that a change of status requires. */
const statusPatch = (data: JsonRecord): JsonRecord =>
  data.status === 'canceled'
    ? { status: 'canceled', canceled_reason: items.canceledReasonOf(data) }
    : items.pick(data, ['status']);

const without = ({ ...body }: JsonRecord, ...names: string[]): JsonRecord => {
  for (const name of names) delete body[name];
  return body;
};

/** The sections that are imported with a {@link DocumentHandler}. */
export type ItemSection = Exclude<DocumentSection, 'endeavours' | 'relations'>;

/** Provides the handlers of sections whose records are created in batches and patched one by one. */
@Injectable()
export class DocumentSections {
  readonly handlers: Readonly<Record<ItemSection, DocumentHandler>>;

  constructor(
    importedArtifacts: ImportedArtifacts,
    importedComments: ImportedComments,
    importedDemands: ImportedDemands,
    importedIterations: ImportedIterations,
    importedRituals: ImportedRituals,
    importedRules: ImportedRules,
    importedTasks: ImportedTasks,
    importedTemplates: ImportedTemplates,
    importedTimeEntries: ImportedTimeEntries,
    importedViews: ImportedViews,
    artifacts: ArtifactsService,
    demands: DemandsService,
    iterations: IterationsService,
    rituals: RitualsService,
    tasks: TasksService,
    templates: TemplatesService,
    views: ViewsService,
  ) {
    this.handlers = {
      iterations: {
        kind: 'iteration',
        containerOf: inEndeavour,
        read: async (data, context, containerId, id) => ({
          id,
          dto: validBodyOf(importedIterations.read(items.iterationBody(data, containerId))),
          status: items.enumValueOf(data.status, iterationLifecycle.statuses, 'status'),
          startedAt: items.pastTimeOf(data, 'started_at'),
          closedAt: items.pastTimeOf(data, 'closed_at'),
          report: data.report,
          ...madeBy(data, context, containerId),
        }),
        createAll: (me, containerId, read) => importedIterations.createAll(me, containerId, read),
        update: updateWithPatch(iterations, importedIterations, (data, _context, containerId) =>
          without(items.iterationBody(data, containerId), 'endeavour_id'),
        ),
      },
      demands: {
        kind: 'demand',
        containerOf: inEndeavour,
        read: async (data, context, containerId, id) => {
          const canceledReason = items.canceledReasonOf(data);
          validBodyOf(importedDemands.readChanges({ canceled_reason: canceledReason }));
          return {
            id,
            dto: validBodyOf(importedDemands.read(items.demandBody(data, context, containerId))),
            status: items.enumValueOf(data.status, demandLifecycle.statuses, 'status'),
            canceledReason,
            createdAt: items.createdAtOf(data),
            number: importedNumber(data.number),
            rank: importedRank(data.rank),
            endedAt: items.pastTimeOf(data, data.status === 'fulfilled' ? 'fulfilled_at' : 'canceled_at') ?? new Date(),
            ownerId: context.memberOf(data, 'owner_id', containerId) ?? context.me.resourceId,
            creatorId: context.authorOf(data, 'creator_id', containerId),
          };
        },
        createAll: (me, containerId, read) => importedDemands.createAll(me, containerId, read),
        update: updateWithPatch(demands, importedDemands, (data, context, containerId) => ({
          ...without(items.demandBody(data, context, containerId), 'type', 'endeavour_id'),
          ...statusPatch(data),
        })),
      },
      tasks: {
        kind: 'task',
        containerOf: inEndeavour,
        read: async (data, context, containerId, id) => taskOf(importedTasks, data, context, containerId, id),
        createAll: (me, containerId, read) => importedTasks.createAll(me, containerId, read),
        update: updateWithPatch(
          {
            get: (me, id) => tasks.get(me, id),
            update: async (me, id, dto) => tasks.update(me, id, await importedTasks.withUsable(id, dto)),
          },
          importedTasks,
          (data, context, containerId) => ({
            ...without(items.taskBody(data, context, containerId), 'endeavour_id'),
            ...items.pick(data, ['actual']),
            ...statusPatch(data),
          }),
        ),
      },
      time_entries: {
        kind: 'time_entry',
        containerOf: inEndeavour,
        read: async (data, context, containerId, id) =>
          timeEntryOf(importedTimeEntries, data, context, containerId, id),
        createAll: (me, containerId, read) => importedTimeEntries.createAll(me, containerId, read),
      },
      artifacts: {
        kind: 'artifact',
        containerOf: inEndeavour,
        read: async (data, context, containerId, id) => ({
          id,
          dto: validBodyOf(importedArtifacts.read(items.artifactBody(data, context, containerId))),
          status: items.enumValueOf(data.status, ['active', 'archived'] as const, 'status'),
          createdAt: items.createdAtOf(data),
          createdBy: context.authorOf(data, 'created_by', containerId),
        }),
        createAll: (me, containerId, read) => importedArtifacts.createAll(me, containerId, read),
        update: updateWithPatch(artifacts, importedArtifacts, (data, context, containerId) => ({
          ...without(items.artifactBody(data, context, containerId), 'endeavour_id'),
          ...items.pick(data, ['status']),
        })),
      },
      templates: {
        kind: 'template',
        containerOf: inOrganization,
        read: async (data, context, containerId, id) => {
          const body = { ...items.versionedBody(data, context, null, TEMPLATE), organization_id: containerId };
          const dto = validBodyOf(importedTemplates.read(body));
          await importedTemplates.assertParses(context.me, dto);
          const status = items.enumValueOf(data.status, templateLifecycle.statuses, 'status');
          return { id, dto, status, ...items.lineageOf(data, context, id), ...madeBy(data, context, null) };
        },
        createAll: (me, containerId, read) => importedTemplates.createAll(me, containerId, read),
        update: updateWithPatch(templates, importedTemplates, (data, context) => ({
          ...without(items.versionedBody(data, context, null, TEMPLATE), 'scope'),
          ...items.pick(data, ['status']),
        })),
      },
      rituals: {
        kind: 'ritual',
        containerOf: inEither,
        read: async (data, context, containerId, id) => {
          const dto = validBodyOf(importedRituals.read(items.ritualBody(data, context, containerId)));
          const status = items.enumValueOf(data.status, ritualLifecycle.statuses, 'status');
          return { id, dto, status, ...items.lineageOf(data, context, id), ...madeBy(data, context, containerId) };
        },
        createAll: (me, containerId, read) =>
          importedRituals.createAll(
            me,
            containerId.startsWith('edv_') ? { endeavourId: containerId } : { organizationId: containerId },
            read,
          ),
        update: updateWithPatch(rituals, importedRituals, (data, context, containerId) => ({
          ...items.ritualBody(data, context, containerId),
          ...items.pick(data, ['status']),
        })),
      },
      comments: {
        kind: 'comment',
        containerOf: containerOfComment,
        read: async (data, context, containerId, id) => commentOf(data, context, containerId, id),
        createAll: (me, containerId, read) => importedComments.createAll(me, containerId, read),
      },
      views: {
        kind: 'view',
        containerOf: inEither,
        read: async (data, context, containerId, id) => {
          const dto = validBodyOf(importedViews.read(viewBody(data, context)));
          await importedViews.assertFits(context.me, dto, context.state);
          return { id, dto, ...madeBy(data, context, containerId) };
        },
        createAll: (me, containerId, read) => importedViews.createAll(me, containerId, read),
        update: updateWithPatch(views, importedViews, (data, context) =>
          without(viewBody(data, context), 'kind', 'is_default'),
        ),
      },
      rules: {
        kind: 'rule',
        containerOf: inEndeavour,
        read: async (data, context, containerId, id) => {
          const dto = validBodyOf(importedRules.read(ruleBody(data, context, containerId)));
          importedRules.assertFits(dto);
          return { id, dto, createdAt: items.createdAtOf(data) };
        },
        createAll: (me, containerId, read) => importedRules.createAll(me, containerId, read),
      },
    };
  }
}

const madeBy = (data: JsonRecord, context: DocumentContext, containerId: string | null) => ({
  createdAt: items.createdAtOf(data),
  createdBy: context.authorOf(data, 'created_by', containerId),
});
