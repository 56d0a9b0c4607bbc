import type { Logger } from 'pino';
import { changedNames, readSettings, withoutSecret } from './read-settings.js';
import type { Settings } from './settings.js';

/** The settings that are read whenever they are needed, besides the limits. */
const AT_RUN_TIME: readonly string[] = ['LOG_LEVEL', 'WEBHOOK_ALLOW'];

/** Read once, at the start, by what they configure. */
const AT_START: readonly string[] = ['LIMIT_REQUESTS_AT_ONCE'];

const isReloadable = (name: string): boolean =>
  (name.startsWith('LIMIT_') || AT_RUN_TIME.includes(name)) && !AT_START.includes(name);

/**
 * Applies settings that have changed since the start: limits, log level and lists of allowed addresses. Logs what
 * changed, and what takes effect only after a restart. Invalid settings change nothing.
 */
export class SettingsReload {
  private last: Settings;

  /** `settings` is the object that the whole service reads. */
  constructor(
    private readonly settings: Settings,
    private readonly log: Logger,
  ) {
    this.last = Object.assign(Object.create(Object.getPrototypeOf(settings) as object), settings) as Settings;
  }

  apply(environment: NodeJS.ProcessEnv): void {
    let next: Settings;
    try {
      next = readSettings(environment, { serves: true });
    } catch (error) {
      this.log.error(`the settings were not reloaded: ${error instanceof Error ? error.message : String(error)}`);
      return;
    }
    const changed = changedNames(this.last, next);
    const applied = changed.filter(isReloadable);
    const waiting = changed.filter((name) => !isReloadable(name));
    for (const name of applied) Object.assign(this.settings, { [name]: next[name] });
    this.last = next;
    // These lines are logged at every level.
    this.log.level = 'info';
    const values = Object.fromEntries(applied.map((name) => [name, withoutSecret(name, next[name])]));
    this.log.info({ settings: values }, applied.length === 0 ? 'no setting was changed' : 'settings were reloaded');
    if (waiting.length > 0) this.log.warn(`these settings take effect after a restart: ${waiting.join(', ')}`);
    this.log.level = this.settings.LOG_LEVEL;
  }
}
