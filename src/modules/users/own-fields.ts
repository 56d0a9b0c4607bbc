import { Bool, Language, Name, TimeZone } from '../../platform/http/fields.js';

/** What everybody may change of themselves. */
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
