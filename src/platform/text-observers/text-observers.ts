import { Injectable } from '@nestjs/common';
import type { Kind } from '../../common/kinds.js';
import type { Actor } from '../events/actor.js';

/** Where text is written: in an endeavour, at a thing wherever that lies, or sent to a whole endeavour or organization. */
export interface TextPlace {
  endeavourId?: string | null;
  organizationId?: string | null;
  thingId?: string;
}

/** Text that a caller wrote. */
export interface ObservedText {
  kind: Kind;
  entityId: string;
  /** What is new or has changed; what is absent or null is passed over. */
  texts: readonly (string | null | undefined)[];
}

/** Text that a caller wrote, and where. */
export type WrittenText = ObservedText & TextPlace;

/** Looks at what was written, and says what is to be done once that is in the database, if anything. */
export type TextObserver = (actor: Actor | null, text: ObservedText) => (() => Promise<void>) | undefined;

/** Takes its copies of texts about a thing away; says how many there were. */
export type TextEraser = (entityId: string, texts: readonly string[]) => Promise<number>;

/** Reads what is written in a place, within the transaction that writes it. */
export type TextObserverFactory = (place: TextPlace) => Promise<TextObserver>;

/**
 * Connects the areas in which text is written with those that read it (alert terms). An area calls it
 * once, after the write and in the same transaction:
 *
 *     await this.textObservers.onTextWritten(me, { kind: 'task', entityId: id, endeavourId, texts: [dto.title, dto.description] });
 *
 * and, where a thing is patched, with `textsOf(row, changes, ['title', 'description'])`: what really changes. One in a hurry
 * asks beforehand what is watched for there, and knows before the write whether it is the last.
 */
@Injectable()
export class TextObservers {
  private readonly readers: TextObserverFactory[] = [];
  private readonly erasers: TextEraser[] = [];

  register(reader: TextObserverFactory): void {
    this.readers.push(reader);
  }

  /** For areas that copy what others write: they are asked to give it up when it is deleted or redacted. */
  registerEraser(eraser: TextEraser): void {
    this.erasers.push(eraser);
  }

  /** Takes all copies of these texts of a thing away, except those that the thing and its events hold themselves. */
  async eraseCopies(entityId: string, texts: readonly (string | null)[]): Promise<number> {
    const given = texts.filter((text) => text !== null && text !== '') as string[];
    let erased = 0;
    for (const eraser of this.erasers) erased += await eraser(entityId, given);
    return erased;
  }

  async observersOf(place: TextPlace): Promise<TextObserver> {
    const watches = await Promise.all(this.readers.map((reader) => reader(place)));
    return (actor, text) => {
      const tasks = watches.map((watch) => watch(actor, text)).filter((task) => task !== undefined);
      return tasks.length === 0 ? undefined : () => inTurn(tasks);
    };
  }

  /** Notifies the observers; does nothing without a text. */
  async onTextWritten(actor: Actor | null, written: WrittenText): Promise<void> {
    if (!written.texts.some(Boolean)) return;
    const watch = await this.observersOf(written);
    await watch(actor, written)?.();
  }
}

async function inTurn(tasks: (() => Promise<void>)[]): Promise<void> {
  for (const task of tasks) await task();
}

/** Those of the named texts that the changes bring and that differ from what is there. */
export function textsOf<E extends object>(current: E, changes: Partial<E>, names: readonly (keyof E)[]): string[] {
  return names
    .map((name) => (changes[name] === current[name] ? undefined : changes[name]))
    .filter((text): text is E[keyof E] & string => typeof text === 'string');
}
