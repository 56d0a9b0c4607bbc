import { Controller, Get, Headers, Redirect } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import { ApiError } from '../../common/errors.js';
import { HealthCheck, PURPOSES, type Health, type Purpose } from '../../platform/health/health.js';
import { STANDBY_OUTCOMES } from '../../platform/database/connections/standby-position.js';
import type { JsonSchema } from '../../platform/database/views/view.js';
import { describeDetails } from '../../platform/http/openapi/refusals.js';
import { readQuery, type QueryReaders } from '../../platform/http/requests/plain-query.js';
import { QueryParameters, type RawQuery } from '../../platform/http/requests/query-parameters.js';
import { component, exactly } from '../../platform/http/openapi/schemas.js';
import { Release } from '../../platform/release/release.js';
import type { RunningReplica } from '../../platform/replicas/replicas.repository.js';
import { Operation } from '../operations/operation.js';
import { OptionalCaller } from '../authentication/optional-caller.js';

const RETRY_SECONDS = 5;
const count = (description: string) => ({ type: 'integer', description });
const names = (description: string) => ({ type: 'array', items: { type: 'string' }, description });
const FIGURES = exactly({
  problems: names('The reasons why the service is not ready.'),
  database_ms: { type: 'number', description: 'The response time of the database in milliseconds.' },
  pending_migrations: names('Migrations of this release that have not been applied to the database.'),
  waiting_contracts: names('Migrations of this release that wait until no older release is running.'),
  unknown_migrations: names('Migrations of a newer release, with which this one also works.'),
  pool: {
    ...exactly({
      total: count('Open connections.'),
      idle: count('Idle connections.'),
      waiting: count('Requests that wait for a connection.'),
    }),
    description: 'The connection pool of the database.',
  },
  standby: {
    type: ['string', 'null'],
    enum: [...STANDBY_OUTCOMES, null],
    description:
      'What became of the last read that a standby may answer: standby if it did, and otherwise why the primary did; null ' +
      'before the first one, or without a standby.',
  },
  uptime_seconds: count('Seconds since the process started.'),
  replicas: {
    type: 'array',
    items: component(
      'RunningReplica',
      exactly({
        version: { type: 'string', description: 'The version of its release.' },
        commit: { type: ['string', 'null'], description: 'The commit that it was built from, if known.' },
        schema: count('The number of the newest migration of its release.'),
        started_at: { type: 'string', format: 'date-time', description: 'When it started.' },
        seen_at: { type: 'string', format: 'date-time', description: 'Its last heartbeat.' },
      }),
    ),
    description: 'The replicas with a heartbeat in the last minute.',
  },
});
const FIGURES_COMPONENT = component('HealthFigures', FIGURES);
describeDetails('unavailable', FIGURES.properties as Record<string, JsonSchema>);
const READY = exactly({
  status: { type: 'string', enum: ['ready'] },
  details: { anyOf: [FIGURES_COMPONENT, { type: 'null' }], description: 'Details, for administrators only.' },
});

type Details = Health & { replicas: RunningReplica[] };

const purposeQuery: QueryReaders = {
  for: (raw) => {
    const purpose = PURPOSES.find((one) => one === raw);
    if (purpose !== undefined) return { value: purpose };
    return { code: 'invalid_value', message: `for must be one of: ${PURPOSES.join(', ')}.`, allowed: PURPOSES };
  },
};

/** Health checks for orchestrators and monitoring. */
@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(
    private readonly healthCheck: HealthCheck,
    private readonly optionalCaller: OptionalCaller,
  ) {}

  @Get('live')
  @Operation('health_live_get', {
    summary: 'Check that the process is running',
    response: exactly({ status: { type: 'string', enum: ['live'] } }),
  })
  live(): { status: string } {
    return { status: 'live' };
  }

  @Get('ready')
  @Operation('health_ready_get', {
    summary: 'Check that the service is ready',
    description:
      'Ready means that the database responds and accepts writes, its schema fits this release, and the process is ' +
      'not shutting down. A schema of a newer release fits until that release removes what this one uses.',
    query: {
      for: {
        description:
          'Whether the service is ready to write (the default), or only to read: a full disk or a read-only ' +
          'database prevents writes, but not reads.',
        schema: { type: 'string', enum: [...PURPOSES], default: 'write' },
      },
    },
    response: READY,
  })
  async ready(
    @QueryParameters() query: RawQuery,
    @Headers('authorization') authorization?: string,
  ): Promise<{ status: string; details: Details | null }> {
    const purpose = readQuery(query, purposeQuery).get('for') as Purpose | undefined;
    const health = await this.healthCheck.check(purpose);
    const caller = await this.optionalCaller.find(authorization);
    const details = caller?.isAdmin === true ? { ...health, replicas: await this.healthCheck.runningReplicas() } : null;
    if (health.problems.length === 0) return { status: 'ready', details };
    throw new ApiError(
      'unavailable',
      'The service is not ready.',
      details === null ? undefined : { ...details },
      RETRY_SECONDS,
    );
  }
}

/** Says which release is running. */
@ApiTags('Health')
@Controller('version')
export class VersionController {
  constructor(private readonly release: Release) {}

  @Get()
  @Operation('version_get', {
    summary: 'Get the version',
    description: 'The release that answers. Everyone can call this operation.',
    response: exactly({
      version: { type: 'string', description: 'The version of the release.', example: '0.1.0' },
      commit: {
        type: ['string', 'null'],
        description: 'The commit that it was built from, if known.',
        example: '0123456789ab',
      },
      schema: {
        type: 'integer',
        description: 'The number of its newest migration; a higher number is a newer release.',
        example: 1_763_700_002_650,
      },
    }),
  })
  version(): { version: string; commit: string | null; schema: number } {
    const { version, commit, schema } = this.release;
    return { version, commit, schema };
  }
}

/** Redirects from the root URL to the explorer. */
@Controller()
export class HomeController {
  @Get()
  @ApiExcludeEndpoint()
  @Operation('home', { summary: 'Redirect to the explorer' })
  @Redirect('/docs', 302)
  home(): void {
    // The decorator sends the redirect.
  }
}
