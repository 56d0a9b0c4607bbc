import { Injectable } from '@nestjs/common';
import { ImportedTasks } from '../../tasks/imports/imported-tasks.service.js';
import { ITEMS, RefusedLine, SPELLINGS, type ImportedRelation } from '../reading/import-format.js';
import { textOf } from '../formats/values.js';
import type { ReadLine } from './item-batch.js';
import { lineRefusalOf } from '../reading/line-refusals.js';
import {
  ImportsRepository,
  isLost,
  type ImportState,
  type LineRefusal,
  type StoredLine,
} from '../imports.repository.js';

/** A relation between two tasks. */
export interface ResolvedRelation {
  line: StoredLine;
  type: ImportedRelation['type'];
  source: string;
  target: string;
}

/** Finds the tasks that items name as parents, dependencies and links, by every spelling that the file has of them. */
@Injectable()
export class ItemReferences {
  constructor(
    private readonly importedTasks: ImportedTasks,
    private readonly repository: ImportsRepository,
  ) {}

  /** Returns the relations whose tasks exist; each other one becomes a refusal, unless it may be missing. */
  async resolve(
    { id, containerId, options, isDryRun }: ImportState,
    lines: readonly ReadLine[],
    refusals: LineRefusal[],
  ): Promise<ResolvedRelation[]> {
    const related = lines.filter(({ item, line }) => item.relations.length > 0 && !isLost(line));
    const texts = related.flatMap(({ item }) => item.relations.flatMap(spellingsOf));
    const spellings = await this.repository.lookups(
      id,
      [...new Set(texts)].map((text) => [SPELLINGS, text] as const),
    );
    const keys = new Map<string, Set<string>>();
    for (const { key, data } of spellings) {
      const of = textOf(data.of);
      if (key === null || of === undefined) continue;
      keys.set(key, (keys.get(key) ?? new Set()).add(of));
    }
    const names = [
      ...related.flatMap(({ item }) => item.externalId ?? []),
      ...texts,
      ...[...keys.values()].flatMap((found) => [...found]),
    ];
    const ids = await this.importedTasks.idsByExternalId(containerId, options.source, [...new Set(names)]);
    if (isDryRun) {
      // Tasks that it would create have no ids yet.
      for (const key of await this.repository.keysOfFile(id, [ITEMS], [...new Set(names)])) {
        if (!ids.has(key)) ids.set(key, key);
      }
    }
    const find = (text: string): string | undefined => {
      const own = ids.get(text);
      const others = keys.get(text);
      if (own !== undefined || others === undefined) return own;
      if (others.size > 1)
        throw new RefusedLine(`Several lines of the file are called ${text}.`, 'conflict', 'duplicate');
      return ids.get([...others][0]);
    };
    return related.flatMap(({ line, item }) => {
      const own = ids.get(item.externalId ?? '');
      if (own === undefined && item.externalId !== null) return [];
      return item.relations.flatMap((relation) => {
        try {
          if (own === undefined) throw new RefusedLine('The line has no id, so that its relations cannot be imported.');
          return relationsWith(own, relation, find).map((resolved) => ({ line, ...resolved }));
        } catch (error) {
          refusals.push(lineRefusalOf(line, error));
          return [];
        }
      });
    });
  }
}

/** Matches the address of an issue, for its key or number. */
const BROWSE = /^https?:\/\/[^\s?#]+\/browse\/([^\s/?#]+)/;
const ISSUE = /^https?:\/\/[^/\s]+\/([^/\s]+\/[^/\s]+)\/(?:issues|pull)\/(\d+)/;

/** Returns all texts that can be the key of the other item, the most exact first. */
function spellingsOf({ externalId, alternatives = [] }: ImportedRelation): string[] {
  return [externalId, ...alternatives].flatMap(variantsOf);
}

function variantsOf(text: string): string[] {
  const [, key] = BROWSE.exec(text) ?? [];
  const [, repository, number] = ISSUE.exec(text) ?? [];
  const others = [key, repository === undefined ? undefined : `${repository}#${number}`, text.toUpperCase()];
  return [...new Set([text, ...others.filter((other) => other !== undefined)])];
}

function relationsWith(
  own: string,
  { type, externalId, alternatives = [], isIncoming = false, isOptional = false }: ImportedRelation,
  find: (text: string) => string | undefined,
): Omit<ResolvedRelation, 'line'>[] {
  const others = new Set(
    [externalId, ...alternatives].flatMap((text) => {
      const found = variantsOf(text)
        .map(find)
        .find((id) => id !== undefined);
      return found === undefined ? [] : [found];
    }),
  );
  if (others.size === 0 && !isOptional) {
    throw new RefusedLine(`There is no task ${externalId}.`, 'invalid_input', 'reference_not_found');
  }
  return [...others].map((other) => {
    const [source, target] = isIncoming ? [other, own] : [own, other];
    return { type, source, target };
  });
}
