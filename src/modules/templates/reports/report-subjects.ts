import { Injectable } from '@nestjs/common';
import type { TemplateScope } from '../template.lifecycle.js';
import type { Variables } from './report-variables.view.js';

/** Variables that take more than one expression; read only for templates that name one of them. */
export interface VariablesReader {
  names: readonly string[];
  /** The values for the entity with that id. */
  read(id: string): Promise<Record<string, unknown>>;
}

/**
 * The registry in which features declare the report variables of their entities, so that a report of an endeavour can
 * include features above this one.
 */
@Injectable()
export class ReportSubjects {
  private readonly byScope = new Map<TemplateScope, Variables>();
  private readonly readers = new Map<TemplateScope, VariablesReader[]>();

  /** Adds to what templates of that scope can use. */
  add(scope: TemplateScope, variables: Variables): void {
    this.byScope.set(scope, { ...this.byScope.get(scope), ...variables });
  }

  addReader(scope: TemplateScope, reader: VariablesReader): void {
    this.readers.set(scope, [...this.readersFor(scope), reader]);
  }

  readersFor(scope: TemplateScope): readonly VariablesReader[] {
    return this.readers.get(scope) ?? [];
  }

  /** What templates of that scope can use. */
  variablesFor(scope: TemplateScope): Variables {
    return this.byScope.get(scope) ?? {};
  }
}
