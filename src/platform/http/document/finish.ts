import type { OpenAPIObject } from '@nestjs/swagger';
import { closeBodies } from './openness.js';
import { ComponentNames } from './component-names.js';
import { describeProperties } from './descriptions.js';
import { addExamples } from './examples.js';
import { describeFailures } from './failures.js';
import { addHeaders, describeHeaders } from './headers.js';
import { operationsIn, type DocumentDraft } from './schema.js';

/**
 * Makes what Nest gathers from the decorators into a document that every generator can use. Nothing here knows an
 * operation or a feature; what an operation declares with `@Operation(...)` is all that it needs.
 */
export function finishDocument(gathered: OpenAPIObject): OpenAPIObject {
  const document = JSON.parse(JSON.stringify(gathered)) as DocumentDraft;
  document.components.responses = {};
  dropUndescribed(document);
  takeMergePatches(document);
  describeHeaders(document);
  describeFailures(document);
  new ComponentNames(document).apply();
  separateByCommas(document);
  for (const { operation } of operationsIn(document)) operation.security ??= [];
  addHeaders(document);
  describeProperties(document);
  closeBodies(document);
  addExamples(document);
  return document as unknown as OpenAPIObject;
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
