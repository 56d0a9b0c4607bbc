import { Injectable } from '@nestjs/common';
import type { Kind } from '../../common/kinds.js';
import type { Actor } from '../changes/actor.js';

/** Text that somebody wrote, and where. */
export interface WrittenText {
  kind: Kind;
  entityId: string;
  /** In which endeavour it was written, or to which whole endeavour it was sent. */
  endeavourId?: string | null;
  /** To which whole organization it was sent. */
  organizationId?: string | null;
  /** What is new or has changed; what is absent or null is passed over. */
  texts: readonly (string | null | undefined)[];
}

/** Somebody who reads what is written, within the transaction that writes it. */
export type TextReader = (actor: Actor | null, written: WrittenText) => Promise<void>;

/**
 * The panel between the areas in which text is written and whoever has to read it (alert terms). An area calls it
 * once, after the write and in the same transaction:
 *
 *     await this.texts.written(me, { kind: 'task', entityId: id, endeavourId, texts: [dto.title, dto.description] });
 *
 * and, where a thing is patched, with `textsOf(row, changes, ['title', 'description'])`: what really changes.
 */
@Injectable()
export class Texts {
  private readonly readers: TextReader[] = [];

  register(reader: TextReader): void {
    this.readers.push(reader);
  }

  /** Costs nothing where there is no text. */
  async written(actor: Actor | null, written: WrittenText): Promise<void> {
    if (!written.texts.some(Boolean)) return;
    for (const reader of this.readers) await reader(actor, written);
  }
}

/** Those of the named texts that the changes bring and that differ from what is there. */
export function textsOf<E extends object>(current: E, changes: Partial<E>, names: readonly (keyof E)[]): string[] {
  return names
    .map((name) => (changes[name] === current[name] ? undefined : changes[name]))
    .filter((text): text is E[keyof E] & string => typeof text === 'string');
}
