import { Body, Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '../../access/authentication/caller.js';
import { CurrentCaller } from '../../access/authentication/current-caller.js';
import { Operation } from '../../access/operations/operation.js';
import * as bodies from '../../platform/http/bodies/body.pipe.js';
import { OwnTransactions, WithoutDryRun } from '../../platform/http/server/route-metadata.js';
import { TransactionalPatch, TransactionalPost } from '../../platform/http/requests/transactional-routes.js';
import { TaggedData } from '../../platform/http/responses/tagged-data.js';
import { PROFILE_PROPERTIES, profileSchema } from '../users/profile.schema.js';
import { Profiles, type Profile } from '../users/profiles.js';
import {
  ChangeEmailDto,
  ChangePasswordDto,
  EmailDto,
  ProfileDto,
  ResetPasswordDto,
  VerifyEmailDto,
} from './auth.dto.js';
import { pendingChange, pendingVerification, status } from './auth.schemas.js';
import { EmailChangesService } from './email-changes/email-changes.service.js';
import { PasswordChangesService } from './password-changes.service.js';
import type { PendingChange } from './email-changes/email-changes.repository.js';
import type { Pending } from './pending-code.js';

@WithoutDryRun(true)
@ApiTags('Auth')
@Controller('auth')
export class AccountController {
  constructor(
    private readonly emailChanges: EmailChangesService,
    private readonly passwordChanges: PasswordChangesService,
    private readonly profiles: Profiles,
  ) {}

  @TransactionalPost('forgot-password')
  @OwnTransactions(true)
  @Operation('auth_forgot_password', {
    summary: 'Forgot password',
    description: 'Sends a reset code by mail if the account exists. The response is the same for every address.',
    body: EmailDto,
    response: status('reset_requested'),
  })
  forgot(@Body(bodies.CreateBody(EmailDto)) { email }: EmailDto): Promise<{ status: 'reset_requested' }> {
    return this.passwordChanges.forgot(email);
  }

  @TransactionalPost('reset-password')
  @OwnTransactions(true)
  @Operation('auth_reset_password', {
    summary: 'Reset password',
    description: 'Sets the new password and ends every session of the account.',
    body: ResetPasswordDto,
    response: status('password_reset'),
    refuses: ['reset_failed'],
  })
  reset(@Body(bodies.CreateBody(ResetPasswordDto)) dto: ResetPasswordDto): Promise<{ status: 'password_reset' }> {
    return this.passwordChanges.reset(dto);
  }

  @TransactionalPost('change-password')
  @OwnTransactions(true)
  @Operation('auth_change_password', {
    summary: 'Change password',
    description: 'Sets the new password and ends every other session of the account.',
    body: ChangePasswordDto,
    response: status('password_changed'),
    refuses: ['invalid_password'],
  })
  change(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(ChangePasswordDto)) dto: ChangePasswordDto,
  ): Promise<{ status: 'password_changed' }> {
    return this.passwordChanges.change(me, dto);
  }

  @TransactionalPost('email/change')
  @OwnTransactions(true)
  @Operation('auth_email_change', {
    summary: 'Change e-mail address',
    description: 'Sends a code to the new address. The account keeps its current address until the code is verified.',
    body: ChangeEmailDto,
    response: pendingVerification,
    refuses: ['invalid_password', 'conflict'],
  })
  changeEmail(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(ChangeEmailDto)) dto: ChangeEmailDto,
  ): Promise<Pending> {
    return this.emailChanges.request(me, dto);
  }

  @TransactionalPost('email/verify')
  @OwnTransactions(true)
  @Operation('auth_email_verify', {
    summary: 'Verify the new e-mail address',
    description: 'Replaces the address of the account and notifies the old address by mail.',
    body: VerifyEmailDto,
    response: profileSchema,
    refuses: ['verification_failed', 'conflict'],
  })
  verifyEmail(
    @CurrentCaller() me: Caller,
    @Body(bodies.CreateBody(VerifyEmailDto)) { code }: VerifyEmailDto,
  ): Promise<Profile> {
    return this.emailChanges.apply(me, code);
  }

  @Get('email/pending')
  @Operation('auth_email_pending_get', {
    summary: 'Get pending e-mail change',
    description: 'Returns your pending e-mail change; null if there is none.',
    response: pendingChange,
  })
  pendingEmail(@CurrentCaller() me: Caller): Promise<PendingChange> {
    return this.emailChanges.pending(me);
  }

  @TransactionalPost('email/cancel')
  @Operation('auth_email_cancel', {
    summary: 'Cancel e-mail change',
    description: 'Invalidates the code. Has no effect without a pending change.',
    response: status('canceled'),
    refuses: ['invalid_input'],
  })
  cancelEmail(@CurrentCaller() me: Caller): Promise<{ status: 'canceled' }> {
    return this.emailChanges.cancel(me);
  }

  @TransactionalPatch('profile')
  @Operation('auth_profile_update', {
    summary: 'Update profile',
    description: 'Updates the properties of your own profile (JSON merge patch).',
    body: ProfileDto,
    response: profileSchema,
  })
  profile(
    @CurrentCaller() me: Caller,
    @Body(bodies.PatchBody(ProfileDto, { representation: PROFILE_PROPERTIES })) dto: ProfileDto,
  ): Promise<Profile> {
    return this.profiles.update(me, dto);
  }

  @Get('whoami')
  @Operation('auth_whoami_get', {
    summary: 'Get current user',
    description: 'Returns your profile, your tier with its limits and usage, and your roles.',
    response: profileSchema,
    tagged: true,
  })
  async whoami(@CurrentCaller() me: Caller): Promise<TaggedData<Profile>> {
    return new TaggedData(await this.profiles.current(me));
  }
}
