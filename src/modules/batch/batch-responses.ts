import { ApiError, invalidField } from '../../common/errors.js';
import { printable } from '../../common/texts/text.js';
import { failure } from '../../platform/http/responses/envelope.js';
import type { SubResponse } from '../../platform/context/sub-requests.js';
import { toApiError } from '../../platform/http/responses/to-api-error.js';
import type { BatchReference } from './references.js';

/** The maximum size of the values that references insert into one request: the limit of a request body. */
const MAX_CHARACTERS = 1024 * 1024;

/** A property of a response and the length of its JSON. */
interface Property {
  value: unknown;
  length: number;
}

/** Collects the responses of a batch, for the response of the batch and for references in later requests. */
export class BatchResponses {
  private readonly items: string[] = [];
  private readonly named = new Map<string, SubResponse>();
  /** The properties of the responses that have been referenced; a response is parsed at its first reference. */
  private readonly parsed = new Map<string, Map<string, Property>>();

  /** The body of the response of the batch. */
  get text(): string {
    return `{"data":[${this.items.join(',')}]}`;
  }

  /** Adds a response. Its body is kept as text, because bodies are long and rarely referenced. */
  add(id: string | undefined, response: SubResponse): void {
    const { etag = null, location = null } = response.headers;
    const head = JSON.stringify({ id: id ?? null, status: response.status, headers: { etag, location } });
    this.items.push(`${head.slice(0, -1)},"body":${response.body}}`);
    if (id !== undefined) this.named.set(id, response);
  }

  /** Returns a function that resolves the references of one request. */
  resolver(): (reference: BatchReference) => unknown {
    let left = MAX_CHARACTERS;
    return (reference) => {
      const { value, length } = this.propertyOf(reference);
      left -= length;
      if (left < 0) throw new ApiError('payload_too_large', 'The request body is larger than 1 MiB.');
      return value;
    };
  }

  /** The response to a request that is not executed because its references cannot be resolved. */
  rejected(error: ApiError, requestId: string): SubResponse {
    const { status, body } = failure(error, toApiError(error).status, { id: requestId, path: '' });
    return { status, body, headers: {} };
  }

  private propertyOf({ id, property }: BatchReference): Property {
    const existing = this.propertiesOf(id).get(property);
    if (existing !== undefined) return existing;
    const at = `$${printable(id)}.${printable(property)}`;
    const message = `The response to ${printable(id)} has no property ${printable(property)}.`;
    throw invalidField(at, 'reference_not_found', message);
  }

  private propertiesOf(id: string): Map<string, Property> {
    const cached = this.parsed.get(id);
    if (cached !== undefined) return cached;
    const response = this.named.get(id);
    const data =
      response !== undefined && response.status < 400
        ? (JSON.parse(response.body) as { data: object | null }).data
        : null;
    const properties = new Map(
      Object.entries(data ?? {}).map(([name, value]) => [name, { value, length: JSON.stringify(value).length }]),
    );
    this.parsed.set(id, properties);
    return properties;
  }
}
