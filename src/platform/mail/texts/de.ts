import type { MailTexts } from './mail-texts.js';

export const de: MailTexts = {
  closing: 'Von Worksmith unter {url} verschickt. Antworten auf diese E-Mail werden nicht gelesen.',
  verification: {
    subject: 'Bitte bestätige deine E-Mail-Adresse',
    paragraphs: [
      'Hallo {name},',
      'willkommen bei Worksmith! Mit dieser Adresse hat sich jemand als „{name}“ angemeldet. Gib zum Abschluss diesen Code ein:',
      '{code}',
      'Er gilt {minutes} Minuten lang und nur einmal.',
      'Warst du das nicht, brauchst du nichts zu tun: Ohne den Code wird kein Konto angelegt.',
    ],
  },
  password_reset: {
    subject: 'Wähle ein neues Passwort',
    paragraphs: [
      'Hallo {name},',
      'für dein Worksmith-Konto wurde ein neues Passwort angefordert. Mit diesem Code kannst du es wählen:',
      '{code}',
      'Er gilt {minutes} Minuten lang und nur einmal. Mit dem neuen Passwort enden alle deine Sitzungen.',
      'Warst du das nicht, brauchst du nichts zu tun: Dein Passwort bleibt, wie es ist.',
    ],
  },
  password_changed: {
    subject: 'Dein Passwort wurde geändert',
    paragraphs: [
      'Hallo {name},',
      'das Passwort deines Worksmith-Kontos wurde soeben geändert, andere Sitzungen wurden beendet.',
      'Warst du das nicht, fordere sofort über „Passwort vergessen“ ein neues an und sag deiner Administration Bescheid.',
    ],
  },
  invitation: {
    subject: '{inviter} lädt dich zu {place} ein',
    paragraphs: [
      'Hallo,',
      '{inviter} lädt dich ein, bei Worksmith in {place} mitzuarbeiten. Registriere dich oder melde dich mit ' +
        'dieser Adresse an und gib diesen Einladungscode an:',
      '{token}',
      'Es gilt bis {expires}.',
      'Kennst du {inviter} nicht, brauchst du nichts zu tun: Die Einladung verfällt von selbst.',
    ],
  },
  link_invitation: {
    subject: '{inviter} bittet dich, {place} mit deiner Organisation zu verknüpfen',
    paragraphs: [
      'Hallo,',
      '{inviter} lädt dich ein, {place} von {target} mit einer Organisation zu verknüpfen, die du verwaltest, damit ihre Mitglieder bei Worksmith darin mitarbeiten können. Melde dich mit dieser Adresse an und nimm mit diesem Einladungscode und der Kennung deiner Organisation an:',
      '{token}',
      'Er gilt bis {expires}.',
      'Kennst du {inviter} nicht, brauchst du nichts zu tun: Die Einladung verfällt von selbst.',
    ],
  },
  email_change: {
    subject: 'Bitte bestätige deine neue E-Mail-Adresse',
    paragraphs: [
      'Hallo {name},',
      'dein Worksmith-Konto soll künftig diese Adresse verwenden. Bestätige sie mit diesem Code:',
      '{code}',
      'Er gilt {minutes} Minuten lang und nur einmal.',
      'Warst du das nicht, brauchst du nichts zu tun: Kein Konto wird deine Adresse verwenden.',
    ],
  },
  email_changed: {
    subject: 'Deine E-Mail-Adresse wurde geändert',
    paragraphs: [
      'Hallo {name},',
      'dein Worksmith-Konto verwendet jetzt die Adresse {new_email}, diese hier nicht mehr.',
      'Warst du das nicht, sag sofort deiner Administration Bescheid: Jemand kennt dein Passwort.',
    ],
  },
  step_up: {
    subject: 'Bestätige, dass du es bist',
    paragraphs: [
      'Hallo {name},',
      'für dein Worksmith-Konto wurde ein Code angefordert, der bestätigt, dass du es selbst verwendest. Gib ihn ein:',
      '{code}',
      'Er gilt {minutes} Minuten lang und nur einmal.',
      'Warst du das nicht, verwendet jemand eine deiner Sitzungen: Beende alle und sag deiner Administration Bescheid.',
    ],
  },
  second_factor_enabled: {
    subject: 'Ein zweiter Faktor wurde eingeschaltet',
    paragraphs: [
      'Hallo {name},',
      'ab jetzt braucht die Anmeldung bei deinem Worksmith-Konto einen Code deiner Authenticator-App. ' +
        'Bewahre deine Wiederherstellungscodes so auf, dass du sie auch ohne die App findest.',
      'Warst du das nicht, verwendet jemand eine deiner Sitzungen: Sag sofort deiner Administration Bescheid.',
    ],
  },
  second_factor_disabled: {
    subject: 'Dein zweiter Faktor wurde ausgeschaltet',
    paragraphs: [
      'Hallo {name},',
      'der zweite Faktor deines Worksmith-Kontos wurde gerade ausgeschaltet, und deine anderen Sitzungen ' +
        'wurden beendet. Die Anmeldung braucht jetzt nur noch dein Passwort.',
      'Warst du das nicht, ändere sofort dein Passwort und sag deiner Administration Bescheid.',
    ],
  },
  recovery_codes_replaced: {
    subject: 'Deine Wiederherstellungscodes wurden ersetzt',
    paragraphs: [
      'Hallo {name},',
      'dein Worksmith-Konto hat neue Wiederherstellungscodes. Die alten gelten nicht mehr, und deine ' +
        'anderen Sitzungen wurden beendet.',
      'Warst du das nicht, ändere sofort dein Passwort und sag deiner Administration Bescheid.',
    ],
  },
  recovery_code_used: {
    subject: 'Ein Wiederherstellungscode wurde verwendet',
    paragraphs: [
      'Hallo {name},',
      'mit einem Wiederherstellungscode deines Worksmith-Kontos hat sich gerade jemand angemeldet. Er gilt ' +
        'nicht noch einmal.',
      'Warst du das nicht, ändere sofort dein Passwort und ersetze deine Wiederherstellungscodes.',
    ],
  },
  passkey_added: {
    subject: 'Ein Passkey wurde hinzugefügt',
    paragraphs: [
      'Hallo {name},',
      'dein Worksmith-Konto hat einen neuen Passkey, mit dem du dich ohne Passwort anmelden kannst.',
      'Warst du das nicht, entferne den Passkey, ändere dein Passwort und sag deiner Administration Bescheid.',
    ],
  },
  passkey_removed: {
    subject: 'Ein Passkey wurde entfernt',
    paragraphs: [
      'Hallo {name},',
      'ein Passkey deines Worksmith-Kontos wurde gerade entfernt, und deine anderen Sitzungen wurden beendet.',
      'Warst du das nicht, ändere sofort dein Passwort und sag deiner Administration Bescheid.',
    ],
  },
  passkey_copied: {
    subject: 'Ein Passkey wurde abgelehnt',
    paragraphs: [
      'Hallo {name},',
      'ein Passkey deines Worksmith-Kontos wurde so verwendet, als gäbe es eine Kopie davon. Die Anmeldung ' +
        'wurde abgelehnt.',
      'Entferne diesen Passkey und füge einen neuen hinzu. Warst du das nicht, sag deiner Administration Bescheid.',
    ],
  },
  identity_linked: {
    subject: 'Ein Anmeldeweg wurde hinzugefügt',
    paragraphs: [
      'Hallo {name},',
      'du kannst dich jetzt mit {provider} an deinem Worksmith-Konto anmelden.',
      'Warst du das nicht, entferne diesen Weg, ändere dein Passwort und sag deiner Administration Bescheid.',
    ],
  },
  identity_removed: {
    subject: 'Ein Anmeldeweg wurde entfernt',
    paragraphs: [
      'Hallo {name},',
      'du kannst dich nicht mehr mit {provider} an deinem Worksmith-Konto anmelden, und deine anderen Sitzungen ' +
        'wurden beendet.',
      'Warst du das nicht, ändere sofort dein Passwort und sag deiner Administration Bescheid.',
    ],
  },
  provider_sign_in: {
    subject: 'Du meldest dich mit {provider} an',
    paragraphs: [
      'Hallo {name},',
      'für dein Worksmith-Konto wurde ein neues Passwort angefordert. Du kannst dich ohne Passwort anmelden, mit {provider}. Eine weitere E-Mail enthält einen Code für ein neues Passwort, falls eines gesetzt werden kann.',
      'Wenn du das nicht warst, brauchst du nichts zu tun.',
    ],
  },
  domain_record_absent: {
    subject: 'Der Eintrag von {domain} fehlt',
    paragraphs: [
      'Hallo {name},',
      '{place} gehört unter anderem dir und hat mit einem TXT-Eintrag nachgewiesen, dass {domain} die eigene Domain ist. Die Nameserver zeigen ihn nicht mehr:',
      '{record}',
      'Wenn der Eintrag nicht wiederkommt, endet der Nachweis. Verbleibende Tage: {days}. Anmeldungen über den Anbieter der Organisation sind dann für Adressen in dieser Domain nicht mehr möglich, soweit sie davon abhängen.',
    ],
  },
  domain_proof_ended: {
    subject: '{domain} ist nicht mehr nachgewiesen',
    paragraphs: [
      'Hallo {name},',
      'der TXT-Eintrag von {domain} fehlt seit sieben Tagen. {place}, unter anderem deine Organisation, gilt deshalb nicht mehr als Inhaber der Domain. Ihre Anbieter legen keine Konten mit Adressen in dieser Domain mehr an und verknüpfen keine. Mitgliedschaften bleiben, wie sie sind.',
      'Um sie wieder nachzuweisen, trage den Eintrag ein und prüfe die Domain erneut:',
      '{record}',
    ],
  },
  message_copy: {
    subject: '{sender}: {subject}',
    paragraphs: [
      'Hallo {name},',
      '{sender} hat dir in Worksmith geschrieben:',
      '{content}',
      'Du bekommst eine Kopie, weil du das so eingestellt hast; „email_copy“ in deinem Profil schaltet es ab.',
    ],
  },
  message_copies: {
    subject: 'Nachrichten in Worksmith: {count}',
    paragraphs: [
      'Hallo {name},',
      'diese Nachrichten hast du in Worksmith bekommen:',
      '{items}',
      'Du bekommst die Kopien, weil du das so eingestellt hast; „email_copy“ in deinem Profil schaltet sie ab.',
    ],
  },
  notifications: {
    subject: '{count} neu in Worksmith',
    paragraphs: [
      'Hallo {name},',
      'das ist in Worksmith geschehen und noch ungelesen:',
      '{items}',
      'Du bekommst diese Mail, weil du das so eingestellt hast; „notify“ in deinem Profil schaltet sie ab.',
    ],
  },
  container_archived: {
    subject: '{place} wurde archiviert',
    paragraphs: [
      'Hallo {name},',
      '{sender} hat {place} archiviert; du gehörst dort zu den Eigentümern. Niemand kann es ändern, bis es wiederhergestellt wird.',
      'Jeder Eigentümer kann es mit aller Arbeit wiederherstellen.',
    ],
  },
  container_erasure: {
    subject: '{place} wird gelöscht',
    paragraphs: [
      'Hallo {name},',
      '{sender} hat verlangt, {place} zu löschen; du gehörst dort zu den Eigentümern. Ab dem {date} wird alles darin endgültig gelöscht.',
      'Bis dahin kann jeder Eigentümer das Löschen anhalten: {place} wiederherstellen oder DELETE an {path} senden.',
    ],
  },
  container_erasure_stopped: {
    subject: '{place} wird nicht gelöscht',
    paragraphs: [
      'Hallo {name},',
      '{sender} hat das Löschen von {place} angehalten; du gehörst dort zu den Eigentümern.',
    ],
  },
  endeavour_transfer_requested: {
    subject: '{sender} will {place} übertragen',
    paragraphs: [
      'Hallo {name},',
      '{sender} will {place}, bei dem du zu den Eigentümern gehörst, an die Organisation {target} ({target_id}) übertragen. Es gehört dann deren Eigentümern.',
      'Ein zweiter Eigentümer entscheidet: Bist du einverstanden, sende POST an {path} mit dieser organization_id. Wenn nicht, brauchst du nichts zu tun.',
    ],
  },
  endeavour_transferred: {
    subject: '{place} wurde übertragen',
    paragraphs: [
      'Hallo {name},',
      '{sender} hat {place}, bei dem du zu den Eigentümern gehörtest, an die Organisation {target} übertragen. Es gehört jetzt deren Eigentümern.',
    ],
  },
  endeavour_unlinked: {
    subject: '{place} gehört nicht mehr zu {target}',
    paragraphs: [
      'Hallo {name},',
      '{sender} hat die Verbindung von {place}, bei dem du zu den Eigentümern gehörst oder gehörtest, mit der Organisation {target} beendet.',
      'War das seine Heimatorganisation, gehört {place} jetzt nur noch seinen direkten Eigentümern.',
    ],
  },
  email_assigned: {
    subject: 'Dein Konto verwendet diese E-Mail-Adresse',
    paragraphs: [
      'Hallo {name},',
      'das Verzeichnis deiner Organisation hat die Adresse deines Worksmith-Kontos auf {new_email} geändert.',
      'Stimmt das nicht, sag deiner Administration Bescheid.',
    ],
  },
  scim_token_expiring: {
    subject: 'Ein Bereitstellungs-Token von {place} läuft ab',
    paragraphs: [
      'Hallo {name},',
      'das Bereitstellungs-Token "{token_name}" von {place}, wo du zu den Eigentümern gehörst, läuft am {date} ab. Danach kann euer Verzeichnis keine Konten mehr ändern.',
      'Erstelle ein neues, trage es in eurem Verzeichnis ein, und lösche das alte.',
    ],
  },
  last_owner_dismissed: {
    subject: '{place} hat den letzten Eigentümer verloren',
    paragraphs: [
      'Hallo {name},',
      'das Verzeichnis von {place} hat {person} entlassen, die letzte aktive Person mit der Rolle Eigentümer. Sitzungen und Zugriffstoken wurden beendet; die Rolle bleibt, damit die Organisation jemandem gehört.',
      'Gib die Rolle dort jemand anderem.',
    ],
  },
};
