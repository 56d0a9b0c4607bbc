import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../common/network/network.js';
import { Settings } from '../../platform/config/settings.js';
import type { RequestState } from '../../platform/http/requests/request.interceptor.js';
import { LocalWindow } from '../../platform/limits/local-window.js';
import { Limits } from '../../platform/limits/limits.js';
import { rateLimited } from '../../platform/limits/rate-limited.js';
import { rateHeaders } from '../../platform/limits/rate-headers.js';

/** Limits the number of requests per user, or without a caller per client network (spec 03). */
@Injectable()
export class RateGuard implements CanActivate {
  private readonly reads = new LocalWindow();
  private readonly writes = new LocalWindow();

  constructor(
    private readonly limits: Limits,
    private readonly settings: Settings,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const http = context.switchToHttp();
    const { method, caller, ip } = http.getRequest<FastifyRequest & RequestState>();
    if (caller === undefined && this.limits.isExempt) return true;
    const isRead = method === 'GET' || method === 'HEAD';
    const { LIMIT_READS_PER_MINUTE, LIMIT_WRITES_PER_MINUTE } = this.settings;
    const most = isRead ? LIMIT_READS_PER_MINUTE : LIMIT_WRITES_PER_MINUTE;
    const { count, endsIn } = (isRead ? this.reads : this.writes).count(caller?.userId ?? networkOf(ip));
    const name = isRead ? 'reads' : 'writes';
    const limit = { name, most, seconds: 60 };
    void http.getResponse<FastifyReply>().headers(rateHeaders(limit, Math.max(0, most - count), endsIn));
    if (count > most) {
      const counts = `${name} of one ${caller === undefined ? 'address' : 'user'}`;
      const setting = isRead ? 'LIMIT_READS_PER_MINUTE' : 'LIMIT_WRITES_PER_MINUTE';
      throw rateLimited({ ...limit, counts, setting }, endsIn);
    }
    return true;
  }
}
