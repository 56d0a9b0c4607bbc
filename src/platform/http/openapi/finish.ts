import { setImmediate as nextTurn } from 'node:timers/promises';
import type { OpenAPIObject } from '@nestjs/swagger';
import { forbidUnknownBodyProperties } from './additional-properties.js';
import { ComponentNames, renameDtos } from './component-names.js';
import { describeProperties } from './descriptions.js';
import { addExamples } from './examples.js';
import { describeFailures } from './failures.js';
import { addHeaders, describeHeaders } from './headers.js';
import { shareComponents } from './share.js';
import { operationsIn, type DocumentDraft } from './schema.js';

/** The order matters: names need the schemas of errors, headers need all responses, and examples need everything. */
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
  forbidUnknownBodyProperties,
  addExamples,
  shareComponents,
];

/**
 * Completes the document that Nest collects from decorators, so that generators can use it. Knows no operation or
 * feature, only the metadata of `@Operation(...)`. Each step runs in its own turn of the event loop, because all of
 * them together would delay other requests.
 */
export async function finishDocument(collected: OpenAPIObject): Promise<OpenAPIObject> {
  const document = JSON.parse(JSON.stringify(collected)) as DocumentDraft;
  document.components.responses = {};
  document.components.examples = {};
  for (const step of STEPS) {
    await nextTurn();
    step(document);
  }
  await nextTurn();
  return document as unknown as OpenAPIObject;
}

/** Declares explicitly that operations without a security requirement need no token. */
function markPublic(document: DocumentDraft): void {
  for (const { operation } of operationsIn(document)) operation.security ??= [];
}

/**
 * Removes header parameters without a description. Nest adds all headers that handlers read, such as `Authorization`;
 * {@link describeHeaders} adds those that clients may send.
 */
function dropUndescribed(document: DocumentDraft): void {
  for (const { operation } of operationsIn(document)) {
    operation.parameters = operation.parameters?.filter(
      ({ in: location, description }) => location !== 'header' || description !== undefined,
    );
  }
}

/** Documents that a merge patch is also accepted under its own media type (RFC 7396). */
function takeMergePatches(document: DocumentDraft): void {
  for (const { method, operation } of operationsIn(document)) {
    const { content } = operation.requestBody ?? {};
    if (method === 'patch' && content) content['application/merge-patch+json'] ??= { ...content['application/json'] };
  }
}

/** Documents that lists in a query are one comma-separated value. */
function separateByCommas(document: DocumentDraft): void {
  for (const { operation } of operationsIn(document)) {
    for (const parameter of operation.parameters ?? []) {
      if (parameter.schema?.type === 'array') Object.assign(parameter, { style: 'form', explode: false });
    }
  }
}
