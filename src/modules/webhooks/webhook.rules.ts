import { invalidInput, type FieldError } from '../../common/errors.js';
import { EVENT_TYPES, matchesAnyEvent } from '../../common/event-types.js';
import type { CreateWebhookDto } from './webhook.dto.js';

export const MAX_PER_CONTAINER = 20;
export const ALL_EVENTS = ['*'];

const PATTERN = /^(?:\*|redacted|(?:\*|[a-z_]{1,40})\.(?:\*|[a-z_]{1,40}))$/;

/** The errors of the patterns, each with its path. */
export const patternErrors = (events: readonly string[] | null = []): FieldError[] =>
  (events ?? []).flatMap((pattern, index): FieldError[] => {
    const field = `events.${index}`;
    if (PATTERN.test(pattern)) {
      if (matchesAnyEvent(pattern)) return [];
      const message = `${field} matches no event: there is no type of events like that.`;
      return [{ field, code: 'invalid_value', message, allowed: EVENT_TYPES }];
    }
    const message = `${field} must be an event type such as task.updated, a pattern such as task.*, or *.`;
    return [{ field, code: 'invalid_format', message }];
  });

/** The errors of the container properties, of which exactly one must be set. */
export function containerErrors({ organization_id, endeavour_id }: CreateWebhookDto): FieldError[] {
  if (organization_id === undefined && endeavour_id === undefined) {
    const message = 'organization_id is required unless endeavour_id is set.';
    return [{ field: 'organization_id', code: 'required', message }];
  }
  if (organization_id === undefined || endeavour_id === undefined) return [];
  const message = 'endeavour_id cannot be combined with organization_id.';
  return [{ field: 'endeavour_id', code: 'invalid_value', message }];
}

export function assertNoErrors(errors: FieldError[]): void {
  if (errors.length > 0) throw invalidInput(errors);
}

/** The stored patterns: all events by default. */
export const eventPatternsOf = (events: readonly string[] | null = null): string[] =>
  events === null || events.length === 0 ? ALL_EVENTS : [...events];

const MINUTE_S = 60;
const HOUR_S = 3_600;

/** The delay after each failed attempt; the last attempt has none. */
const PAUSES_S = [5, 5 * MINUTE_S, 30 * MINUTE_S, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_S)];
const JITTER = 0.1;

/** Milliseconds until the next attempt, with 10 % jitter; undefined after the last one. */
export function retryDelayAfter(attempts: number): number | undefined {
  const seconds = PAUSES_S.at(attempts - 1);
  return seconds === undefined ? undefined : seconds * 1_000 * (1 + JITTER * (2 * Math.random() - 1));
}

const MAX_PAUSE_MS = 5 * MINUTE_S * 1_000;

/** The pause of a webhook, in milliseconds, after this number of consecutive failed batches. */
export const pauseAfter = (failures: number): number =>
  failures === 0 ? 0 : Math.min(4_000 * 2 ** Math.min(failures - 1, 20), MAX_PAUSE_MS);

const DAY_MS = 24 * HOUR_S * 1_000;
export const MAX_FAILING_MS = 5 * DAY_MS;
export const OVERLAP_MS = DAY_MS;

const TOO_MANY_REQUESTS = 429;
const UNAVAILABLE = 503;

/** The time in `Retry-After` of a 429 or 503, in seconds or as a date, up to a day; null without a usable one. */
export function retryAfterIn(status: number, header: string | undefined, now = Date.now()): number | null {
  if (header === undefined || (status !== TOO_MANY_REQUESTS && status !== UNAVAILABLE)) return null;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), DAY_MS);
}
