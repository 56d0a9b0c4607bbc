import {
  aboutOf,
  nameOfRef,
  operationsIn,
  pascal,
  type DocumentDraft,
  type OperationDocument,
  type ParameterDocument,
  type ResponseDocument,
} from './schema.js';

/**
 * Makes a component of every parameter and response that several operations have, and refers to it, so that the document
 * says everything once. Parameters and responses of one operation stay in it.
 */
export function shareComponents(document: DocumentDraft): void {
  shareParameters(document);
  shareResponses(document);
  requireTokens(document);
}

/** Most operations need a token: the document says it once, and public operations say that they need none. */
function requireTokens(document: DocumentDraft): void {
  document.security = [{ bearer: [] }];
  for (const { operation } of operationsIn(document)) {
    if ((operation.security ?? []).length > 0) delete operation.security;
  }
}

function shareParameters(document: DocumentDraft): void {
  const { components } = document;
  const store = storeOf(components.parameters, 'parameters', isTaken(document));
  const all = [...operationsIn(document)].flatMap(({ operation }) => operation.parameters ?? []);
  const uses = usesOf(all);
  const variants = new Map<string, Set<string>>();
  for (const parameter of all.filter((one) => one.$ref === undefined && uses(one) > 1)) {
    variants.set(parameter.name, (variants.get(parameter.name) ?? new Set()).add(JSON.stringify(parameter)));
  }
  for (const { operation } of operationsIn(document)) {
    operation.parameters = operation.parameters?.map((parameter) => {
      if (parameter.$ref !== undefined || uses(parameter) < 2) return parameter;
      const name = pascal(parameter.name);
      const subject = pascal(aboutOf(operation.operationId));
      const isAmbiguous = (variants.get(parameter.name)?.size ?? 0) > 1;
      return store(parameter, isAmbiguous ? [`${subject}${name}`] : [name, `${name}Parameter`]) as ParameterDocument;
    });
  }
}

function shareResponses(document: DocumentDraft): void {
  const store = storeOf(document.components.responses, 'responses', isTaken(document));
  const successes = [...operationsIn(document)].flatMap(({ operation }) => Object.values(operation.responses));
  const uses = usesOf(successes);
  for (const { operation } of operationsIn(document)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (response.$ref !== undefined || uses(response) < 2) continue;
      operation.responses[status] = store(response, namesOf(operation, status, response)) as ResponseDocument;
    }
  }
}

/** `TaskOk`, `TaskCreated` or `OperationAccepted`, from the schema of the body; `NotModified` if there is none. */
function namesOf({ operationId }: OperationDocument, status: string, { content }: ResponseDocument): string[] {
  const suffix = SUFFIXES[status] ?? `Status${status}`;
  const schema = Object.values(content ?? {})[0]?.schema;
  const subject = schema?.$ref === undefined ? '' : nameOfRef(schema.$ref).replace(/Envelope$/, '');
  return [subject + suffix, pascal(operationId) + suffix];
}

const SUFFIXES: Record<string, string> = { 200: 'Ok', 201: 'Created', 202: 'Accepted', 304: 'NotModified' };

/** Generators make types of all kinds of components, so that two kinds must not have the same name. */
const isTaken =
  ({ components }: DocumentDraft) =>
  (name: string): boolean =>
    Object.hasOwn(components.schemas, name);

/** How many times an equal value occurs. */
function usesOf(values: readonly object[]): (value: object) => number {
  const counts = new Map<string, number>();
  for (const value of values) {
    const text = JSON.stringify(value);
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  return (value) => counts.get(JSON.stringify(value)) ?? 0;
}

/** Stores values under the first free name, or the first with a number. */
function storeOf(
  components: Record<string, object>,
  kind: 'parameters' | 'responses',
  taken: (name: string) => boolean,
): (value: object, names: string[]) => object {
  const stored = new Map<string, string>();
  return (value, names) => {
    const text = JSON.stringify(value);
    const isFree = (name: string): boolean => !Object.hasOwn(components, name) && !taken(name);
    let name = stored.get(text) ?? names.find(isFree);
    for (let number = 2; name === undefined; number += 1) {
      const numbered = `${names.at(-1)}${number}`;
      if (isFree(numbered)) name = numbered;
    }
    stored.set(text, name);
    components[name] = value;
    return { $ref: `#/components/${kind}/${name}` };
  };
}
