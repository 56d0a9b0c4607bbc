import { Injectable } from '@nestjs/common';
import { Access } from '../../../access/access.js';
import type { Caller } from '../../../access/authentication/caller.js';
import { invalidField } from '../../../common/errors.js';
import { parseDay } from '../../../common/time.js';
import { prefersType } from '../../../platform/http/requests/negotiation.js';
import { pictureResponse, SVG_TYPE } from '../../../platform/http/responses/picture-response.js';
import { readQuery } from '../../../platform/http/requests/plain-query.js';
import type { RawQuery } from '../../../platform/http/requests/query-parameters.js';
import type { RawResponse } from '../../../platform/http/responses/raw-response.js';
import type { Parsed } from '../../../platform/http/requests/parsed.js';
import { EndeavoursService } from '../../endeavours/endeavours.service.js';
import { GoalMembership } from '../../endeavours/goals/goal-membership.service.js';
import { IterationsService } from '../../iterations/iterations.service.js';
import { RoadmapRepository } from './roadmap.repository.js';
import { goalsByDay, MOST_ITERATIONS, type Roadmap, type RoadmapPeriod } from './roadmap.rules.js';
import { roadmapSvg } from './roadmap.svg.js';

const FORMATS = ['json', 'svg'] as const;

const dayParameter = (raw: string): Parsed =>
  parseDay(raw) === undefined ? { code: 'invalid_date', message: 'Must be a date (YYYY-MM-DD).' } : { value: raw };

const READERS = {
  from: dayParameter,
  to: dayParameter,
  format: (raw: string): Parsed =>
    FORMATS.some((format) => format === raw)
      ? { value: raw }
      : { code: 'invalid_value', message: 'Must be json or svg.', allowed: FORMATS },
};

const DAY = { type: 'string', pattern: String.raw`^\d{4}-\d\d-\d\d$`, examples: ['2026-11-20'] };

export const ROADMAP_PARAMETERS = {
  from: { description: 'Leaves out what ends before this day (YYYY-MM-DD).', schema: DAY },
  to: { description: 'Leaves out what begins after this day (YYYY-MM-DD).', schema: DAY },
  format: {
    description: 'JSON or an SVG image; by default, what `Accept` prefers.',
    schema: { type: 'string', enum: [...FORMATS] },
  },
};

/** Shows what endeavours are to achieve, and when. */
@Injectable()
export class RoadmapService {
  constructor(
    private readonly access: Access,
    private readonly endeavours: EndeavoursService,
    private readonly goals: GoalMembership,
    private readonly iterations: IterationsService,
    private readonly repository: RoadmapRepository,
  ) {}

  async get(me: Caller, id: string, query: RawQuery, accept?: string): Promise<Roadmap | RawResponse> {
    const values = readQuery(query, READERS);
    const [from, to] = ['from', 'to'].map((name) => values.get(name) as string | undefined);
    if (from !== undefined && to !== undefined && to < from) {
      throw invalidField('to', 'out_of_range', 'to must not be before from.');
    }
    const { title } = await this.access.authorizeWithoutLock(me, 'endeavours_roadmap_get', id);
    const roadmap = await this.read(id, { from, to });
    const isPicture = values.has('format')
      ? values.get('format') === 'svg'
      : prefersType(accept, SVG_TYPE, 'application/json');
    return isPicture ? pictureResponse(SVG_TYPE, roadmapSvg(title, roadmap)) : roadmap;
  }

  private async read(id: string, period: RoadmapPeriod): Promise<Roadmap> {
    const timezone = await this.endeavours.timezoneOf(id);
    const stored = await this.goals.of(id);
    const work = await this.repository.workFor(stored.map((goal) => goal.id));
    const { iterations, total } = await this.iterations.inPeriod(id, period, MOST_ITERATIONS);
    const found = await this.repository.demandsIn(id, timezone, period);
    return {
      endeavour_id: id,
      timezone,
      goals: goalsByDay(
        stored.map(({ due_day = null, ...goal }) => ({ ...goal, due_day })),
        work,
        period,
      ),
      iterations,
      demands: found.demands,
      omitted: {
        iterations: total - iterations.length,
        demands: found.total - found.demands.length,
      },
    };
  }
}
