import { Module } from '@nestjs/common';
import { DatedWork } from '../endeavours/dates/dated-work.js';
import { ContainedResources } from '../../platform/containment/contained-resources.js';
import { SavedLists } from '../../platform/listing/saved-lists.js';
import { Searchables } from '../../platform/listing/search/searchables.js';
import { EndeavoursModule } from '../endeavours/endeavours.module.js';
import { LabelsModule } from '../labels/labels.module.js';
import { IterationsModule } from '../iterations/iterations.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { demandContainment } from './demand.containment.js';
import { DemandMoves } from './demand-moves.service.js';
import { demandList } from './demand.list.js';
import { DemandsController } from './demands.controller.js';
import { DemandsRepository } from './demands.repository.js';
import { ExternalDemandsController } from './external-demands.controller.js';
import { ImportedDemands } from './imported-demands.service.js';
import { OpenDemands } from './open-demands.js';
import { RankRenewals } from './ranks/rank-renewals.service.js';
import { RankingsRepository } from './ranks/rankings.repository.js';
import { RankingsService } from './ranks/rankings.service.js';
import { RoadmapController } from './roadmap/roadmap.controller.js';
import { RoadmapRepository } from './roadmap/roadmap.repository.js';
import { RoadmapService } from './roadmap/roadmap.service.js';
import { DemandsService } from './demands.service.js';

@Module({
  imports: [EndeavoursModule, IterationsModule, LabelsModule, ResourcesModule],
  controllers: [DemandsController, ExternalDemandsController, RoadmapController],
  providers: [
    DemandMoves,
    DemandsRepository,
    DemandsService,
    ImportedDemands,
    OpenDemands,
    RankRenewals,
    RankingsRepository,
    RankingsService,
    RoadmapRepository,
    RoadmapService,
  ],
  exports: [DemandMoves, DemandsService, ImportedDemands, RankingsService],
})
export class DemandsModule {
  constructor(
    containedResources: ContainedResources,
    searchables: Searchables,
    savedLists: SavedLists,
    datedWork: DatedWork,
    demands: DemandsRepository,
  ) {
    datedWork.register(demands.deriveDueDates);
    containedResources.register(demandContainment);
    searchables.register({ list: demandList, hasTitleIndex: true });
    savedLists.register(demandList);
  }
}
