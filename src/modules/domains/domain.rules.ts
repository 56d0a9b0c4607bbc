/** The number of domains that an organization can claim. */
export const MAX_DOMAINS = 50;

/** The days running without the record after which a proof ends. */
export const MAX_ABSENT_DAYS = 7;

/** The text that the TXT record of a domain has to contain. */
export const verificationRecordOf = (token: string): string => `worksmith-verification=${token}`;

/** Domains of public mail providers, in which anyone can get an address; no organization can claim them. */
const PUBLIC = new Set(
  `126.com 163.com aim.com alice.it aol.com arcor.de att.net bellsouth.net bluewin.ch btinternet.com comcast.net cox.net
  duck.com email.it fastmail.com fastmail.fm free.fr freenet.de gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net
  googlemail.com hey.com hotmail.co.uk hotmail.com hotmail.de hotmail.es hotmail.fr hotmail.it icloud.com inbox.com
  kabelmail.de laposte.net libero.it live.co.uk live.com live.de live.fr live.nl mac.com magenta.de mail.com mail.de mail.ru
  mailbox.org me.com msn.com naver.com neuf.fr o2online.de online.de orange.fr outlook.com outlook.de outlook.es outlook.fr
  pm.me posteo.de posteo.net proton.me protonmail.ch protonmail.com qq.com rediffmail.com rocketmail.com sbcglobal.net
  seznam.cz sfr.fr sina.com skynet.be t-online.de telefonica.net terra.es tiscali.it tuta.com tuta.io tutanota.com
  verizon.net virgilio.it vodafone.de wanadoo.fr web.de wp.pl yahoo.co.jp yahoo.co.uk yahoo.com yahoo.de yahoo.es yahoo.fr
  yahoo.it yandex.com yandex.ru yeah.net ymail.com ziggo.nl zoho.com`.split(/\s+/),
);

export const isPublicDomain = (domain: string): boolean => PUBLIC.has(domain);
