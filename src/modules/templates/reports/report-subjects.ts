import { Injectable } from '@nestjs/common';
import type { TemplateScope } from '../template.lifecycle.js';
import type { Variables } from './report-variables.view.js';

/** Variables that cannot be read with one SQL expression; only read for templates that contain one of the names. */
export interface VariablesReader {
  names: readonly string[];
  /** The values for the entity with the id. */
  read(id: string): Promise<Record<string, unknown>>;
}

/**
 * Registry of report variables. Features register the variables of their entities here, because this module cannot
 * import the features that depend on it.
 */
@Injectable()
export class ReportSubjects {
  private readonly byScope = new Map<TemplateScope, Variables>();
  private readonly readers = new Map<TemplateScope, VariablesReader[]>();

  /** Adds variables for templates of the scope. */
  add(scope: TemplateScope, variables: Variables): void {
    this.byScope.set(scope, { ...this.byScope.get(scope), ...variables });
  }

  addReader(scope: TemplateScope, reader: VariablesReader): void {
    this.readers.set(scope, [...this.readersFor(scope), reader]);
  }

  readersFor(scope: TemplateScope): readonly VariablesReader[] {
    return this.readers.get(scope) ?? [];
  }

  /** The variables for templates of the scope. */
  variablesFor(scope: TemplateScope): Variables {
    return this.byScope.get(scope) ?? {};
  }
}
