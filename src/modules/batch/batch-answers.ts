import { ApiError, invalidField } from '../../common/errors.js';
import { failure } from '../../platform/http/envelope.js';
import type { InnerAnswer } from '../../platform/http/inner-requests.js';
import { toApiError } from '../../platform/http/to-api-error.js';
import type { Reference } from './references.js';

/** The maximum size of the values that references insert into one request, as for a body. */
const MOST_CHARACTERS = 1024 * 1024;

/** The answers of a batch so far: in their sent form, and as later requests refer to them. */
export class BatchAnswers {
  private readonly items: string[] = [];
  private readonly named = new Map<string, InnerAnswer>();

  /** The body of the batch answer. */
  get text(): string {
    return `{"data":[${this.items.join(',')}]}`;
  }

  /** Bodies are long and rarely referenced, so they stay text. */
  add(id: string | undefined, answer: InnerAnswer): void {
    const { etag = null, location = null } = answer.headers;
    const head = JSON.stringify({ id: id ?? null, status: answer.status, headers: { etag, location } });
    this.items.push(`${head.slice(0, -1)},"body":${answer.body}}`);
    if (id !== undefined) this.named.set(id, answer);
  }

  /** Resolves the references of one request. */
  reader(): (reference: Reference) => unknown {
    const values = new Map<string, { value: unknown; length: number }>();
    let left = MOST_CHARACTERS;
    return (reference) => {
      const name = `${reference.id}.${reference.property}`;
      const found = values.get(name) ?? this.measured(reference);
      values.set(name, found);
      left -= found.length;
      if (left < 0) throw new ApiError('payload_too_large', 'The request body is larger than 1 MiB.');
      return found.value;
    };
  }

  /** The answer to a request that was not executed, because a referenced value does not exist. */
  refused(refusal: ApiError, requestId: string): InnerAnswer {
    const { status, body } = failure(refusal, toApiError(refusal).status, { id: requestId, path: '' });
    return { status, body, headers: {} };
  }

  private measured({ id, property }: Reference): { value: unknown; length: number } {
    const answer = this.named.get(id);
    const data = answer !== undefined && answer.status < 400 ? (JSON.parse(answer.body) as { data: unknown }).data : {};
    const value = Object.hasOwn(data as object, property) ? (data as Record<string, unknown>)[property] : undefined;
    if (value !== undefined) return { value, length: JSON.stringify(value).length };
    throw invalidField(`$${id}.${property}`, 'reference_not_found', `The answer to ${id} has no property ${property}.`);
  }
}
