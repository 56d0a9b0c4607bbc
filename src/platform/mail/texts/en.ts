import type { MailTexts } from './mail-texts.js';

export const en: MailTexts = {
  closing: 'Sent by Worksmith at {url}. Replies to this address are not read.',
  verification: {
    subject: 'Confirm your e-mail address',
    paragraphs: [
      'Hello {name},',
      'welcome to Worksmith! An account was requested with this address under the name "{name}". To finish, ' +
        'enter this code:',
      '{code}',
      'It is valid for {minutes} minutes and works once.',
      'If this was not you, you do not need to do anything: without the code, no account is created.',
    ],
  },
  password_reset: {
    subject: 'Choose a new password',
    paragraphs: [
      'Hello {name},',
      'a new password was requested for your Worksmith account. Enter this code to choose one:',
      '{code}',
      'It is valid for {minutes} minutes and works once. All your sessions end when the password changes.',
      'If this was not you, you do not need to do anything: your password stays the same.',
    ],
  },
  password_changed: {
    subject: 'Your password was changed',
    paragraphs: [
      'Hello {name},',
      'the password of your Worksmith account was just changed, and your other sessions were ended.',
      'If this was not you, use "forgot password" now to set a new password, and tell your administrator.',
    ],
  },
  invitation: {
    subject: '{inviter} invites you to {place}',
    paragraphs: [
      'Hello,',
      '{inviter} invites you to join {place} on Worksmith. Sign up or sign in with this address, and enter this ' +
        'invitation token:',
      '{token}',
      'It is valid until {expires}.',
      'If you do not know {inviter}, you do not need to do anything: the invitation will expire.',
    ],
  },
  link_invitation: {
    subject: '{inviter} asks you to link {place} to your organization',
    paragraphs: [
      'Hello,',
      '{inviter} invites you to link {place}, which belongs to {target}, to an organization where you are an admin, so that its members can work in it on Worksmith. Sign in with this address, and accept with this token and the id of your organization:',
      '{token}',
      'It is valid until {expires}.',
      'If you do not know {inviter}, you do not need to do anything: the invitation will expire.',
    ],
  },
  email_change: {
    subject: 'Confirm your new e-mail address',
    paragraphs: [
      'Hello {name},',
      'a request was made to use this address for your Worksmith account. Enter this code to confirm it:',
      '{code}',
      'It is valid for {minutes} minutes and works once.',
      'If this was not you, you do not need to do anything: your address will not be used.',
    ],
  },
  email_changed: {
    subject: 'Your e-mail address was changed',
    paragraphs: [
      'Hello {name},',
      'your Worksmith account now uses the address {new_email}. This one is no longer used.',
      'If this was not you, tell your administrator at once: another person knows your password.',
    ],
  },
  step_up: {
    subject: 'Confirm that it is you',
    paragraphs: [
      'Hello {name},',
      'a code was requested to confirm that it is you who uses your Worksmith account. Enter it:',
      '{code}',
      'It is valid for {minutes} minutes and works once.',
      'If this was not you, another person uses one of your sessions: end all of them, and tell your administrator.',
    ],
  },
  second_factor_enabled: {
    subject: 'A second factor was turned on',
    paragraphs: [
      'Hello {name},',
      'from now on, signing in to your Worksmith account takes a code of your authenticator app. Keep your ' +
        'recovery codes where you find them without it.',
      'If this was not you, another person uses one of your sessions: tell your administrator at once.',
    ],
  },
  second_factor_disabled: {
    subject: 'Your second factor was turned off',
    paragraphs: [
      'Hello {name},',
      'the second factor of your Worksmith account was just turned off, and your other sessions were ' +
        'ended. Signing in takes only your password now.',
      'If this was not you, change your password at once, and tell your administrator.',
    ],
  },
  recovery_codes_replaced: {
    subject: 'Your recovery codes were replaced',
    paragraphs: [
      'Hello {name},',
      'your Worksmith account has new recovery codes. The old ones are void, and your other sessions were ended.',
      'If this was not you, change your password at once, and tell your administrator.',
    ],
  },
  recovery_code_used: {
    subject: 'A recovery code was used',
    paragraphs: [
      'Hello {name},',
      'one of the recovery codes of your Worksmith account was just used to sign in. It cannot be used again.',
      'If this was not you, change your password at once, and replace your recovery codes.',
    ],
  },
  passkey_added: {
    subject: 'A passkey was added',
    paragraphs: [
      'Hello {name},',
      'your Worksmith account has a new passkey, which signs you in without your password.',
      'If this was not you, remove the passkey, change your password, and tell your administrator.',
    ],
  },
  passkey_removed: {
    subject: 'A passkey was removed',
    paragraphs: [
      'Hello {name},',
      'a passkey of your Worksmith account was just removed, and your other sessions were ended.',
      'If this was not you, change your password at once, and tell your administrator.',
    ],
  },
  passkey_copied: {
    subject: 'A passkey was refused',
    paragraphs: [
      'Hello {name},',
      'a passkey of your Worksmith account was used in a way that suggests that there is a copy of it. The ' +
        'sign-in was refused.',
      'Remove this passkey and add a new one. If this was not you, tell your administrator.',
    ],
  },
  identity_linked: {
    subject: 'A way to sign in was added',
    paragraphs: [
      'Hello {name},',
      'you can now sign in to your Worksmith account with {provider}.',
      'If this was not you, remove it, change your password, and tell your administrator.',
    ],
  },
  identity_removed: {
    subject: 'A way to sign in was removed',
    paragraphs: [
      'Hello {name},',
      'you can no longer sign in to your Worksmith account with {provider}, and your other sessions were ended.',
      'If this was not you, change your password at once, and tell your administrator.',
    ],
  },
  provider_sign_in: {
    subject: 'You sign in with {provider}',
    paragraphs: [
      'Hello {name},',
      'a new password was requested for your Worksmith account. You can sign in without one, with {provider}. Another mail has a code for a new password, if one can be set.',
      'If this was not you, you do not need to do anything.',
    ],
  },
  domain_record_absent: {
    subject: 'The record of {domain} is missing',
    paragraphs: [
      'Hello {name},',
      '{place}, of which you are an owner, has proved that {domain} is its own by a TXT record. The name servers no longer show it:',
      '{record}',
      'If the record does not come back, the proof ends. Days left: {days}. Sign-ins by the provider of the organization then stop for addresses in this domain, as far as they depend on it.',
    ],
  },
  domain_proof_ended: {
    subject: '{domain} is no longer proved',
    paragraphs: [
      'Hello {name},',
      'the TXT record of {domain} has been missing for seven days, so that {place}, of which you are an owner, no longer counts as the owner of the domain. Its providers make and link no more accounts with addresses in it. Memberships stay as they are.',
      'To prove it again, add the record and verify the domain:',
      '{record}',
    ],
  },
  message_copy: {
    subject: '{sender}: {subject}',
    paragraphs: [
      'Hello {name},',
      '{sender} wrote to you in Worksmith:',
      '{content}',
      'You receive this copy because "email_copy" is switched on in your profile. Switch it off to stop these ' +
        'mails.',
    ],
  },
  message_copies: {
    subject: 'Messages in Worksmith: {count}',
    paragraphs: [
      'Hello {name},',
      'you received these messages in Worksmith:',
      '{items}',
      'You receive these copies because "email_copy" is switched on in your profile. Switch it off to stop these ' +
        'mails.',
    ],
  },
  notifications: {
    subject: '{count} new in Worksmith',
    paragraphs: [
      'Hello {name},',
      'this happened in Worksmith, and you have not read it yet:',
      '{items}',
      'You receive this mail because of the "notify" settings in your profile. Change them to stop these mails.',
    ],
  },
  container_archived: {
    subject: '{place} was archived',
    paragraphs: [
      'Hello {name},',
      '{sender} archived {place}, of which you are an owner. Nobody can change it until it is restored.',
      'Every owner can restore it, with all of its work.',
    ],
  },
  container_erasure: {
    subject: '{place} will be erased',
    paragraphs: [
      'Hello {name},',
      '{sender} requested the erasure of {place}, of which you are an owner. From {date} on, everything in it is deleted for good.',
      'Until then, every owner can stop the erasure: restore {place}, or send DELETE to {path}.',
    ],
  },
  container_erasure_stopped: {
    subject: '{place} will not be erased',
    paragraphs: ['Hello {name},', '{sender} stopped the erasure of {place}, of which you are an owner.'],
  },
  endeavour_transfer_requested: {
    subject: '{sender} wants to transfer {place}',
    paragraphs: [
      'Hello {name},',
      '{sender} wants to transfer {place}, of which you are an owner, to the organization {target} ({target_id}). Its owners will own it.',
      'A second owner decides: if you agree, send POST to {path} with that organization_id. If not, you do not need to do anything.',
    ],
  },
  endeavour_transferred: {
    subject: '{place} was transferred',
    paragraphs: [
      'Hello {name},',
      '{sender} transferred {place}, of which you were an owner, to the organization {target}, whose owners own it now.',
    ],
  },
  endeavour_unlinked: {
    subject: '{place} was unlinked from {target}',
    paragraphs: [
      'Hello {name},',
      '{sender} ended the link of {place}, of which you are or were an owner, to the organization {target}.',
      'If that was its home organization, only the direct owners of {place} own it now.',
    ],
  },
  email_assigned: {
    subject: 'Your account uses this e-mail address',
    paragraphs: [
      'Hello {name},',
      'the directory of your organization has changed the address of your Worksmith account to {new_email}.',
      'If this is not right, tell your administrator.',
    ],
  },
  scim_token_expiring: {
    subject: 'A provisioning token of {place} expires',
    paragraphs: [
      'Hello {name},',
      'the provisioning token "{token_name}" of {place}, of which you are an owner, expires on {date}. Your directory cannot change accounts after that.',
      'Create a new one, enter it in your directory, and delete the old one.',
    ],
  },
  last_owner_dismissed: {
    subject: 'The last owner of {place} was dismissed',
    paragraphs: [
      'Hello {name},',
      'the directory of {place} has dismissed {person}, the only active owner. The sessions and access tokens were ended; the role stays, so that the organization has an owner.',
      'Give the role to somebody else there.',
    ],
  },
};
