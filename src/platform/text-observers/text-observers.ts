import { Injectable } from '@nestjs/common';
import { camelCase } from '../../common/texts/case.js';
import type { Kind } from '../../common/kinds.js';
import { namesWith } from '../database/views/text-traits.js';
import type { View } from '../database/views/view.js';
import type { Actor } from '../context/actor.js';

/** The container of a text. With only `parentId`, it is the container of that entity, such as the task of a comment. */
export interface TextScope {
  endeavourId?: string | null;
  organizationId?: string | null;
  parentId?: string;
}

/** New or changed texts of an entity; null and undefined are ignored. */
export interface ObservedText {
  kind: Kind;
  entityId: string;
  texts: readonly (string | null | undefined)[];
}

/** New or changed texts of an entity, with their container. */
export type WrittenText = ObservedText & TextScope;

/** Inspects a text; returns the work to do in the transaction after the text is written, or undefined. */
export type TextObserver = (actor: Actor | null, text: ObservedText) => (() => Promise<void>) | undefined;

/** Erases the copies of texts of an entity; returns their number. */
export type TextEraser = (entityId: string, texts: readonly string[]) => Promise<number>;

/** Creates the observer of one container; called in the transaction that writes the text. */
export type TextObserverFactory = (scope: TextScope) => Promise<TextObserver>;

/**
 * Registry that passes texts from the features that write them to those that inspect them (alert terms). A feature
 * calls it once, after the write and in the same transaction:
 *
 *     await this.textObservers.onTextWritten(me, { kind: 'task', entityId: id, endeavourId, texts: watchedTexts(taskView, dto) });
 *
 * For a patch, `watchedTexts(taskView, changes, row)` selects the texts that really change. A feature that
 * must know before the write whether it is the last statement calls `observersOf` first.
 */
@Injectable()
export class TextObservers {
  private readonly factories: TextObserverFactory[] = [];
  private readonly erasers: TextEraser[] = [];

  register(factory: TextObserverFactory): void {
    this.factories.push(factory);
  }

  /** Registers a feature that stores copies of texts, which must be erased when the text is deleted or redacted. */
  registerEraser(eraser: TextEraser): void {
    this.erasers.push(eraser);
  }

  /** Erases all copies of these texts, except those in the entity itself and in its events; returns their number. */
  async eraseCopies(entityId: string, texts: readonly (string | null)[]): Promise<number> {
    const present = texts.filter((text) => text !== null && text !== '') as string[];
    let erased = 0;
    for (const eraser of this.erasers) erased += await eraser(entityId, present);
    return erased;
  }

  /** The observers of a container, as one. */
  async observersOf(scope: TextScope): Promise<TextObserver> {
    const observers = await Promise.all(this.factories.map((factory) => factory(scope)));
    return (actor, text) => {
      const tasks = observers.map((observe) => observe(actor, text)).filter((task) => task !== undefined);
      return tasks.length === 0 ? undefined : () => runInOrder(tasks);
    };
  }

  /** Notifies the observers; does nothing without a text. */
  async onTextWritten(actor: Actor | null, written: WrittenText): Promise<void> {
    if (!written.texts.some(Boolean)) return;
    const observe = await this.observersOf(written);
    await observe(actor, written)?.();
  }
}

async function runInOrder(tasks: (() => Promise<void>)[]): Promise<void> {
  for (const task of tasks) await task();
}

/** The watched texts of the view that the changes set to another text; all of them if nothing was there before. */
export const watchedTexts = (view: View, changes: object, current: object = {}): string[] =>
  changedTexts(changes, current, namesWith('watched', view).map(camelCase));

/** The values of the named properties that the changes set to another text. */
export function changedTexts(changes: object, current: object, names: readonly string[]): string[] {
  const [before, after] = [current, changes] as Record<string, unknown>[];
  return names
    .map((name) => (after[name] === before[name] ? undefined : after[name]))
    .filter((text) => typeof text === 'string');
}
