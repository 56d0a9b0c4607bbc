import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OpenAPIObject } from '@nestjs/swagger';
import { closeBodies } from './openness.js';
import { ComponentNames, renameDtos } from './component-names.js';
import { describeProperties } from './descriptions.js';
import { addExamples } from './examples.js';
import { describeFailures } from './failures.js';
import { addHeaders, describeHeaders } from './headers.js';
import { operationsIn, type DocumentDraft } from './schema.js';

/** In this order: names need the schemas of the failures, headers need all responses, examples need everything. */
const STEPS: readonly ((document: DocumentDraft) => void)[] = [
  dropUndescribed,
  takeMergePatches,
  describeHeaders,
  describeFailures,
  renameDtos,
  (document) => new ComponentNames(document).apply(),
  separateByCommas,
  markPublic,
  addHeaders,
  describeProperties,
  closeBodies,
  addExamples,
];

/**
 * Makes what Nest gathers from the decorators into a document that every generator can use. Nothing here knows an
 * operation or a feature; what an operation declares with `@Operation(...)` is all that it needs. Each step has a turn of
 * the event loop to itself, because all of them together would keep other requests waiting.
 */
export async function finishDocument(gathered: OpenAPIObject): Promise<OpenAPIObject> {
  const document = JSON.parse(JSON.stringify(gathered)) as DocumentDraft;
  document.components.responses = {};
  for (const step of STEPS) {
    await nextTurn();
    step(document);
  }
  await nextTurn();
  return document as unknown as OpenAPIObject;
}

/** Operations without any requirement are those that need no token. */
function markPublic(document: DocumentDraft): void {
  for (const { operation } of operationsIn(document)) operation.security ??= [];
}

/** Nest gathers the headers that handlers read, `Authorization` among them; those that clients may send are declared. */
function dropUndescribed(document: DocumentDraft): void {
  for (const { operation } of operationsIn(document)) {
    operation.parameters = operation.parameters?.filter(
      ({ in: place, description }) => place !== 'header' || description !== undefined,
    );
  }
}

/** A merge patch is taken under its own media type as well (RFC 7396). */
function takeMergePatches(document: DocumentDraft): void {
  for (const { method, operation } of operationsIn(document)) {
    const { content } = operation.requestBody ?? {};
    if (method === 'patch' && content) content['application/merge-patch+json'] ??= { ...content['application/json'] };
  }
}

/** Lists in a query are one value with commas. */
function separateByCommas(document: DocumentDraft): void {
  for (const { operation } of operationsIn(document)) {
    for (const parameter of operation.parameters ?? []) {
      if (parameter.schema?.type === 'array') Object.assign(parameter, { style: 'form', explode: false });
    }
  }
}
