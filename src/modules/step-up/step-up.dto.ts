import { Keyword, Secret } from '../../platform/http/fields.js';

/** One proof: a password or a code. */
export class StepUpDto {
  @Secret({
    anyLength: true,
    example: 'two wooden ladders',
    description: 'Your password. With a second factor, it proves nothing alone: send a code.',
  })
  password?: string;

  @Keyword({ description: 'The code that was mailed to you, if you have neither a password nor another method.' })
  code?: string;
}
