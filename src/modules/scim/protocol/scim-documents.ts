import { isRecord } from '../../../common/texts/json.js';
import { invalid } from './scim-error.js';
import { attributePathOf, type AttributePath } from './scim-filter.js';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';
/** What this service adds to a person. */
export const WORK_SCHEMA = 'urn:worksmith:params:scim:schemas:extension:2.0:User';
export const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';

/** A resource as JSON. */
export type ScimDocument = Record<string, unknown>;

/** More than directories send. It limits the cost of the search for a property. */
const MAX_PROPERTIES = 200;

/** The object in a body; 400 `invalidSyntax`. */
export function documentIn(body: unknown): ScimDocument {
  const document = recordIn(body);
  if (document === undefined) throw invalid('invalidSyntax', 'The request body must be a JSON object.');
  return document;
}

/** A JSON object with not too many properties (400 `invalidSyntax`); undefined for other values. */
export function recordIn(value: unknown): ScimDocument | undefined {
  if (!isRecord(value)) return undefined;
  if (Object.keys(value).length <= MAX_PROPERTIES) return value;
  throw invalid('invalidSyntax', `A JSON object can have at most ${MAX_PROPERTIES} properties.`);
}

/** The value of a property, whose name is compared without regard to case. */
export const propertyIn = (document: ScimDocument, name: string): unknown =>
  Object.entries(document).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];

/** Which attributes of resources a response has. */
export interface Projection {
  only?: AttributePath[];
  except?: AttributePath[];
}

/** Reads `attributes` and `excludedAttributes`; names that are none select nothing. */
export function readProjection(query: Readonly<Record<string, unknown>>): Projection {
  const only = namesIn(query.attributes);
  const except = namesIn(query.excludedAttributes);
  if (only !== undefined && except !== undefined)
    throw invalid('invalidValue', 'attributes and excludedAttributes cannot be combined.');
  return { only, except };
}

function namesIn(text: unknown): AttributePath[] | undefined {
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  return text.split(',').flatMap((name) => attributePathOf(name.trim()) ?? []);
}

/** Properties that every response has. */
const ALWAYS = ['id', 'schemas'];

/** Whether a response has the attribute. */
export function isSelected({ only, except }: Projection, attribute: string): boolean {
  const name = attribute.toLowerCase();
  if (ALWAYS.includes(name)) return true;
  if (only !== undefined) return only.some((path) => path.attribute === name);
  return except?.some((path) => path.attribute === name && path.sub === undefined) !== true;
}

/** The selected part of a resource. */
export function projected(document: ScimDocument, projection: Projection): ScimDocument {
  const { only, except } = projection;
  if (only === undefined && except === undefined) return document;
  const entries = Object.entries(document).filter(([name]) => isSelected(projection, name));
  return Object.fromEntries(entries.map(([name, value]) => [name, partOf(name, value, projection)]));
}

function partOf(attribute: string, value: unknown, { only, except }: Projection): unknown {
  const named = (paths: AttributePath[] = []): string[] =>
    paths.filter((path) => path.attribute === attribute.toLowerCase()).flatMap(({ sub }) => sub ?? []);
  const isWhole = only === undefined || only.some((path) => path.attribute === attribute.toLowerCase() && !path.sub);
  const wanted = isWhole || ALWAYS.includes(attribute) ? undefined : named(only);
  const unwanted = named(except);
  const select = (element: unknown): unknown =>
    isRecord(element)
      ? Object.fromEntries(
          Object.entries(element).filter(([key]) => {
            const name = key.toLowerCase();
            return (wanted === undefined || wanted.includes(name)) && !unwanted.includes(name);
          }),
        )
      : element;
  return Array.isArray(value) ? value.map(select) : select(value);
}

/** The part of a list that a request asks for. */
export interface Paging {
  startIndex: number;
  count: number;
}

const MAX_COUNT = 200;
const USUAL_COUNT = 100;

/** Reads `startIndex` and `count`; numbers out of range mean the nearest that is allowed (RFC 7644, 3.4.2.4). */
export function readPaging({ startIndex, count }: Readonly<Record<string, unknown>>): Paging {
  return {
    startIndex: Math.max(1, integerIn('startIndex', startIndex) ?? 1),
    count: Math.min(MAX_COUNT, Math.max(0, integerIn('count', count) ?? USUAL_COUNT)),
  };
}

function integerIn(name: string, text: unknown): number | undefined {
  if (text === undefined || text === '') return undefined;
  if (typeof text !== 'string' || !/^-?\d{1,9}$/.test(text))
    throw invalid('invalidValue', `${name} must be an integer.`);
  return Number(text);
}

/** A page of resources. */
export const listResponse = (resources: readonly unknown[], total: number, { startIndex }: Paging): ScimDocument => ({
  schemas: [LIST_SCHEMA],
  totalResults: total,
  startIndex,
  itemsPerPage: resources.length,
  Resources: resources,
});
