import { Injectable } from '@nestjs/common';
import type { Caller } from '../../../access/authentication/caller.js';
import { GraphService } from '../../tasks/graph/graph.service.js';
import { ProgressService } from '../../tasks/progress/progress.service.js';
import type { PageSources } from '../page/page-pictures.js';
import type { TemplateSource } from './reports.repository.js';

/**
 * Reads the data of the pictures in a page, besides the variables of its template, with the visibility of the caller.
 */
@Injectable()
export class PageSourcesReader {
  constructor(
    private readonly graphs: GraphService,
    private readonly progress: ProgressService,
  ) {}

  async read(me: Caller, { id }: { id: string }, { scope, lang, type }: TemplateSource): Promise<PageSources> {
    const sources = { scope, lang, hasPictures: type === 'report' };
    if (!sources.hasPictures) return sources;
    if (scope === 'task') return { ...sources, graph: await this.graphs.excerptOfTask(me, id) };
    if (scope !== 'endeavour') return sources;
    const progress = await this.progress.recent(me, id);
    return { ...sources, progress, graph: await this.graphs.excerptOfEndeavour(me, id) };
  }
}
