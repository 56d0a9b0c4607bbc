import { Flag, Language, Name, Zone } from '../../platform/http/fields.js';

/** What everybody may change of themselves. */
export class OwnFields {
  @Name({ nullable: false, example: 'Ann Archer' })
  name?: string;

  @Language({ nullable: false })
  lang?: string;

  @Zone({ nullable: false })
  timezone?: string;

  @Flag({ nullable: false, description: 'Whether messages are also sent to you by e-mail.' })
  email_copy?: boolean;
}
