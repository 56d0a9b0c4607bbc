import { Injectable } from '@nestjs/common';
import type { JsonRecord } from '../../../common/texts/json.js';
import { Database } from '../../../platform/database/database.js';
import { inSavepoint } from '../../../platform/http/requests/savepoint.js';
import { RelationsService } from '../../relations/relations.service.js';
import { RefusedLine } from '../reading/import-format.js';
import { ImportSourcesRepository } from '../import-sources.repository.js';
import type { LineRefusal, StoredLine } from '../imports.repository.js';
import { validBodyOf, lineRefusalOf } from '../reading/line-refusals.js';
import type { DocumentContext } from './document-context.js';
import * as items from './document-items.js';

const RELATED = ['task', 'demand', 'endeavour', 'artifact', 'ritual', 'template'] as const;

/** Imports the relations of a document with the same rules as POST. */
@Injectable()
export class DocumentRelations {
  constructor(
    private readonly database: Database,
    private readonly relations: RelationsService,
    private readonly sources: ImportSourcesRepository,
  ) {}

  async importBatch(
    context: DocumentContext,
    lines: readonly StoredLine[],
    refusals: LineRefusal[],
  ): Promise<{ relations: number }> {
    let relations = 0;
    for (const line of lines) {
      try {
        if (await this.relate(context, line.data)) relations += 1;
      } catch (error) {
        refusals.push(lineRefusalOf(line, error));
      }
    }
    return { relations };
  }

  /** Creates a relation; returns false if it already exists. */
  private async relate(context: DocumentContext, data: JsonRecord): Promise<boolean> {
    if (data.structural === true) throw new RefusedLine('Memberships and links are not imported.');
    const ends = {
      source_entity_type: items.enumValueOf(data.source_entity_type, RELATED, 'source_entity_type'),
      source_entity_id: context.referenceOf(data, 'source_entity_id') ?? '',
      target_entity_type: items.enumValueOf(data.target_entity_type, RELATED, 'target_entity_type'),
      target_entity_id: context.referenceOf(data, 'target_entity_id') ?? '',
    };
    const { isDryRun } = context.state;
    const { dto, fieldErrors } = this.relations.read({
      ...ends,
      ...items.pick(data, ['relationship_type', 'metadata']),
    });
    // In a dry run, the ends of a relation have not been imported, so errors about their ids do not count.
    validBodyOf({ dto, fieldErrors: fieldErrors.filter(({ field }) => !isDryRun || !field.endsWith('_entity_id')) });
    if (isDryRun) return true;
    const refusal = await inSavepoint(this.database, async () => {
      const { id } = await this.relations.create(context.me, dto);
      await this.sources.addResults(context.state.id, 'created', [id]);
    });
    if (refusal === undefined) return true;
    if (refusal.details?.reason === 'duplicate_relation') return false;
    throw refusal;
  }
}
