import type { MailTexts } from './mail-texts.js';

export const en: MailTexts = {
  closing: 'Sent by Worksmith at {url}. Nobody reads replies.',
  verification: {
    subject: 'Confirm your e-mail address',
    paragraphs: [
      'Hello {name},',
      'welcome to Worksmith! Somebody signed up with this address under the name "{name}". To finish, enter this code:',
      '{code}',
      'It is valid for {minutes} minutes and works once.',
      'If this was not you, do nothing: without the code no account comes into being.',
    ],
  },
  password_reset: {
    subject: 'Choose a new password',
    paragraphs: [
      'Hello {name},',
      'a new password was asked for your Worksmith account. Enter this code to choose one:',
      '{code}',
      'It is valid for {minutes} minutes and works once. All your sessions end when the password changes.',
      'If this was not you, do nothing: your password stays as it is.',
    ],
  },
  password_changed: {
    subject: 'Your password was changed',
    paragraphs: [
      'Hello {name},',
      'the password of your Worksmith account was just changed, and other sessions were ended.',
      'If this was not you, ask for a new password with "forgot password" now, and tell your administrator.',
    ],
  },
  invitation: {
    subject: '{inviter} invites you to {place}',
    paragraphs: [
      'Hello,',
      '{inviter} invites you to work along in {place} on Worksmith. Sign up or sign in with this address, and give this invitation token:',
      '{token}',
      'It is valid until {expires}.',
      'If you do not know {inviter}, do nothing: the invitation lapses by itself.',
    ],
  },
  email_change: {
    subject: 'Confirm your new e-mail address',
    paragraphs: [
      'Hello {name},',
      'your Worksmith account is to use this address from now on. Enter this code to confirm it:',
      '{code}',
      'It is valid for {minutes} minutes and works once.',
      'If this was not you, do nothing: no account will use your address.',
    ],
  },
  email_changed: {
    subject: 'Your e-mail address was changed',
    paragraphs: [
      'Hello {name},',
      'your Worksmith account now uses the address {new_email}. This one is no longer used.',
      'If this was not you, tell your administrator at once: somebody knows your password.',
    ],
  },
  message_copy: {
    subject: '{sender}: {subject}',
    paragraphs: [
      'Hello {name},',
      '{sender} wrote to you in Worksmith:',
      '{content}',
      'You get a copy because you asked for it; the setting "email_copy" of your profile turns that off.',
    ],
  },
};
