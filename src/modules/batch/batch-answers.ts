import { ApiError, invalidField } from '../../common/errors.js';
import { printable } from '../../common/text.js';
import { failure } from '../../platform/http/envelope.js';
import type { InnerAnswer } from '../../platform/http/inner-requests.js';
import { toApiError } from '../../platform/http/to-api-error.js';
import type { BatchReference } from './references.js';

/** The maximum size of the values that references insert into one request, as for a body. */
const MOST_CHARACTERS = 1024 * 1024;

/** A property of an answer and the length of its JSON. */
interface Measured {
  value: unknown;
  length: number;
}

/** The answers of a batch so far: as they are sent, and as later requests refer to them. */
export class BatchAnswers {
  private readonly items: string[] = [];
  private readonly named = new Map<string, InnerAnswer>();
  /** The parsed answers; an answer is parsed at its first reference. */
  private readonly read = new Map<string, Map<string, Measured>>();

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
  reader(): (reference: BatchReference) => unknown {
    let left = MOST_CHARACTERS;
    return (reference) => {
      const { value, length } = this.measured(reference);
      left -= length;
      if (left < 0) throw new ApiError('payload_too_large', 'The request body is larger than 1 MiB.');
      return value;
    };
  }

  /** The answer to a request that was not executed, because a referenced value does not exist. */
  refused(refusal: ApiError, requestId: string): InnerAnswer {
    const { status, body } = failure(refusal, toApiError(refusal).status, { id: requestId, path: '' });
    return { status, body, headers: {} };
  }

  private measured({ id, property }: BatchReference): Measured {
    const found = this.propertiesOf(id).get(property);
    if (found !== undefined) return found;
    const at = `$${printable(id)}.${printable(property)}`;
    const message = `The answer to ${printable(id)} has no property ${printable(property)}.`;
    throw invalidField(at, 'reference_not_found', message);
  }

  private propertiesOf(id: string): Map<string, Measured> {
    const known = this.read.get(id);
    if (known !== undefined) return known;
    const answer = this.named.get(id);
    const data =
      answer !== undefined && answer.status < 400 ? (JSON.parse(answer.body) as { data: object | null }).data : null;
    const properties = new Map(
      Object.entries(data ?? {}).map(([name, value]) => [name, { value, length: JSON.stringify(value).length }]),
    );
    this.read.set(id, properties);
    return properties;
  }
}
