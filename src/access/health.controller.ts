import { Controller, Get, Headers, Redirect } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import { ApiError } from '../common/errors.js';
import { HealthCheck, type Health } from '../platform/health/health.js';
import type { JsonSchema } from '../platform/database/view.js';
import { describeDetails } from '../platform/http/document/refusals.js';
import { component, exactly } from '../platform/http/schemas.js';
import { Operation } from './operation.js';
import { OptionalCaller } from './optional-caller.js';

const RETRY_SECONDS = 5;
const count = (description: string) => ({ type: 'integer', description });
const names = (description: string) => ({ type: 'array', items: { type: 'string' }, description });
const FIGURES = exactly({
  problems: names('The reasons why the service is not ready.'),
  database_ms: { type: 'number', description: 'The response time of the database in milliseconds.' },
  pending_migrations: names('Migrations of this release that have not been applied to the database.'),
  unknown_migrations: names('Migrations in the database that this release does not know.'),
  pool: {
    ...exactly({
      total: count('Open connections.'),
      idle: count('Idle connections.'),
      waiting: count('Requests that wait for a connection.'),
    }),
    description: 'The connection pool of the database.',
  },
  uptime_seconds: count('Seconds since the process started.'),
});
const FIGURES_COMPONENT = component('HealthFigures', FIGURES);
describeDetails('unavailable', FIGURES.properties as Record<string, JsonSchema>);
const READY = exactly({
  status: { type: 'string', enum: ['ready'] },
  details: { anyOf: [FIGURES_COMPONENT, { type: 'null' }], description: 'Details, for administrators only.' },
});

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
      'Ready means that the database responds and accepts writes, its schema matches this release, and the ' +
      'process is not shutting down.',
    response: READY,
  })
  async ready(@Headers('authorization') authorization?: string): Promise<{ status: string; details: Health | null }> {
    const health = await this.healthCheck.check();
    const caller = await this.optionalCaller.find(authorization);
    const details = caller?.isAdmin === true ? health : null;
    if (health.problems.length === 0) return { status: 'ready', details };
    throw new ApiError(
      'unavailable',
      'The service is not ready.',
      details === null ? undefined : { ...details },
      RETRY_SECONDS,
    );
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
