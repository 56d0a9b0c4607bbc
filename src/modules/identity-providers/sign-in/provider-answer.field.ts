import { ObjectOf } from '../../../platform/http/bodies/fields.js';
import { FinishSignInDto } from './oidc.dto.js';

/** What a client sends of a sign-in at a provider. */
export type SentAnswer = FinishSignInDto;

/** A body property with what the provider sent back. */
export const ProviderAnswerField = (): PropertyDecorator =>
  ObjectOf(FinishSignInDto, { description: 'What the provider sent back, for `POST /auth/step-up/oidc`.' });
