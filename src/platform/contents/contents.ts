import { Injectable } from '@nestjs/common';
import type { Actor } from '../changes/actor.js';
import { Sweeps } from '../changes/sweeps.js';
import { Database } from '../database/database.js';
import { changeContent } from './change.content.js';
import { SECTIONS, type Content, type Section } from './content.js';
import { listPart, type Part } from './part.js';

/** How many things of each section archiving ends; sections that have nothing of the kind are absent. */
export type Endings = Partial<Record<Section, number>>;

/**
 * The panel on which every area writes what of its things lies in endeavours and organizations, so that archiving
 * can count and end them and an export can hold them, without the containers knowing the areas.
 *
 * An area declares it in `x.content.ts` and puts it up in the constructor of its module:
 *
 *     export const taskContent: Content<Task> = { section: 'tasks', view: taskView, ending: { entity: Task, ... } };
 *     export class TasksModule { constructor(contents: Contents) { contents.register(taskContent); } }
 */
@Injectable()
export class Contents {
  private readonly bySection = new Map<Section, Content>();

  constructor(
    private readonly database: Database,
    private readonly sweeps: Sweeps,
  ) {
    this.register(changeContent);
  }

  register<E extends object>(content: Content<E>): void {
    if (this.bySection.has(content.section)) throw new Error(`two areas call their content ${content.section}`);
    this.bySection.set(content.section, content);
  }

  /** The lists of an export, in the order of the document; one that no area fills is empty. */
  parts(sections: readonly Section[] = SECTIONS): Part[] {
    return sections.map((name) => {
      const content = this.bySection.get(name);
      if (content === undefined) return { name, isList: true, queries: [] };
      return listPart(name, content.exported ?? content.view, content.within?.bind(content));
    });
  }

  /** How many things archiving these endeavours would end. */
  async countAlive(endeavourIds: readonly string[]): Promise<Endings> {
    const endings: Endings = {};
    for (const content of this.ended()) {
      const row = await this.database.one<{ alive: number }>(
        `SELECT count(*)::integer AS alive FROM ${content.view.table} ${content.view.alias} WHERE ${aliveIn(content)}`,
        [endeavourIds],
      );
      endings[content.section] = row?.alive ?? 0;
    }
    return endings;
  }

  /** Ends them, each with its own revision and event; the caller has locked the endeavours, so that none slips in. */
  async end(actor: Actor, endeavourIds: readonly string[], reason: string): Promise<Endings> {
    const endings: Endings = {};
    const now = new Date();
    for (const content of this.ended()) {
      const { view, ending } = content;
      endings[content.section] = await this.sweeps.patchAll(actor, view, ending.entity, {
        where: aliveIn(content),
        parameter: endeavourIds,
        changes: ending.changes(`Endeavour archived: ${reason}`, now, reason),
        type: ending.type,
      });
    }
    return endings;
  }

  private ended(): Ended[] {
    const all = SECTIONS.map((section) => this.bySection.get(section));
    return all.filter((content): content is Ended => content?.ending !== undefined);
  }
}

type Ended = Content & Required<Pick<Content, 'ending'>>;

/** One condition for both, so that what is announced is what happens; `$1` is the ids of the endeavours. */
function aliveIn({ view, ending }: Ended): string {
  const { endeavourId = `${view.alias}.endeavour_id`, alive } = ending;
  return `${endeavourId} = ANY($1::text[]) AND ${alive}`;
}
