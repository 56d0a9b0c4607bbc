import { NOTIFICATION_KINDS, NOTIFICATION_WAYS, type SentSettings } from '../../common/notifications.js';
import { isRecord } from '../../common/texts/json.js';
import type { FieldError } from '../../common/errors.js';
import { field, fieldError } from '../../platform/http/bodies/fields/field.js';
import { Bool, Language, Name, Secret, TimeZone } from '../../platform/http/bodies/fields.js';

/** The current password, which only users without one can omit: they need a recent proof of another kind. */
export const CurrentPasswordField = (): PropertyDecorator =>
  Secret({
    anyLength: true,
    example: 'two wooden ladders',
    description:
      'Your current password; required if your account has one. Without a password, you need a recent proof that it is ' +
      'you instead (`POST /auth/step-up`).',
  });

/** The properties that users can change in their own account. */
export class OwnFields {
  @Name({ nullable: false, example: 'Ann Archer' })
  name?: string;

  @Language({ nullable: false })
  lang?: string;

  @TimeZone({ nullable: false })
  timezone?: string;

  @Bool({ nullable: false, description: 'Whether messages are also sent to you by e-mail.' })
  email_copy?: boolean;
}

const notifySchema = {
  type: 'object',
  additionalProperties: false,
  properties: Object.fromEntries(
    NOTIFICATION_KINDS.map(
      (kind) => [kind, { type: ['string', 'null'], enum: [...NOTIFICATION_WAYS, null] }] as [string, object],
    ),
  ),
} as const;

function notifyErrors(value: unknown, at: string): readonly FieldError[] {
  if (!isRecord(value)) return fieldError(at, 'invalid_type', 'must be an object.');
  const [kinds, ways]: (readonly string[])[] = [NOTIFICATION_KINDS, NOTIFICATION_WAYS];
  return Object.entries(value).flatMap(([kind, way]) => {
    if (!kinds.includes(kind)) return fieldError(at, 'unknown_field', `can contain only ${kinds.join(', ')}.`);
    if (way === null || (typeof way === 'string' && ways.includes(way))) return [];
    return fieldError(`${at}.${kind}`, 'invalid_value', `must be one of ${ways.join(', ')}.`, ways);
  });
}

/** The properties that users can change in their own profile. */
export class OwnProfile extends OwnFields {
  @field({ errorsOf: notifyErrors }, notifySchema, {
    nullable: false,
    description:
      'How you are notified of each kind of event: none, inbox (`GET /notifications`), or mail (there and by e-mail, ' +
      'gathered, at most one mail per quarter of an hour). Omitted kinds keep their value; null resets a kind to inbox.',
  })
  notify?: SentSettings;
}
