import { Controller, Get, Headers, Redirect } from '@nestjs/common';
import { ApiExcludeEndpoint, ApiTags } from '@nestjs/swagger';
import { Refusal } from '../common/errors.js';
import { HealthCheck, type Health } from '../platform/health/health.js';
import { exactly } from '../platform/http/schemas.js';
import { Operation } from './operation.js';
import { OptionalCaller } from './optional-caller.js';

const RETRY_SECONDS = 5;
const COUNT = { type: 'integer' };
const NAMES = { type: 'array', items: { type: 'string' } };
const FIGURES = exactly({
  problems: NAMES,
  database_ms: { type: 'number' },
  pending_migrations: NAMES,
  unknown_migrations: NAMES,
  pool: exactly({ total: COUNT, idle: COUNT, waiting: COUNT }),
  uptime_seconds: COUNT,
});
const READY = exactly({
  status: { type: 'string', enum: ['ready'] },
  details: { anyOf: [FIGURES, { type: 'null' }], description: 'For administrators only.' },
});

/** For whoever watches over the service: is it alive, and does it want work? */
@ApiTags('Health')
@Controller('health')
export class HealthController {
  constructor(
    private readonly check: HealthCheck,
    private readonly asking: OptionalCaller,
  ) {}

  @Get('live')
  @Operation('health_live', {
    summary: 'Whether the process runs',
    answer: exactly({ status: { type: 'string', enum: ['live'] } }),
  })
  live(): { status: string } {
    return { status: 'live' };
  }

  @Get('ready')
  @Operation('health_ready', {
    summary: 'Whether the service can do its work',
    description: 'The database answers, its schema is the one of this build, and the process is not being stopped.',
    answer: READY,
  })
  async ready(@Headers('authorization') authorization?: string): Promise<{ status: string; details: Health | null }> {
    const health = await this.check.look();
    const caller = await this.asking.of(authorization);
    const details = caller?.isAdmin === true ? health : null;
    if (health.problems.length === 0) return { status: 'ready', details };
    throw new Refusal(
      'unavailable',
      'The service is not ready.',
      details === null ? undefined : { ...details },
      RETRY_SECONDS,
    );
  }
}

/** Leads whoever opens the address of the service to the explorer. */
@Controller()
export class HomeController {
  @Get()
  @ApiExcludeEndpoint()
  @Operation('home', { summary: 'Leads to the explorer' })
  @Redirect('/docs', 302)
  home(): void {
    // The redirect is all there is.
  }
}
