import type { MailTexts } from './mail-texts.js';

export const fr: MailTexts = {
  closing: 'Envoyé par Worksmith, {url}. Les réponses à cette adresse ne sont pas lues.',
  verification: {
    subject: 'Confirmez votre adresse e-mail',
    paragraphs: [
      'Bonjour {name},',
      'bienvenue sur Worksmith ! Une inscription a été faite avec cette adresse au nom de « {name} ». Pour la terminer, saisissez ce code :',
      '{code}',
      'Il est valable {minutes} minutes et ne sert qu’une fois.',
      'Si ce n’était pas vous, ne faites rien : sans ce code, aucun compte ne sera créé.',
    ],
  },
  password_reset: {
    subject: 'Choisissez un nouveau mot de passe',
    paragraphs: [
      'Bonjour {name},',
      'un nouveau mot de passe a été demandé pour votre compte Worksmith. Saisissez ce code pour le choisir :',
      '{code}',
      'Il est valable {minutes} minutes et ne sert qu’une fois. Toutes vos sessions prendront fin avec ce changement.',
      'Si ce n’était pas vous, ne faites rien : votre mot de passe reste le même.',
    ],
  },
  password_changed: {
    subject: 'Votre mot de passe a été modifié',
    paragraphs: [
      'Bonjour {name},',
      'le mot de passe de votre compte Worksmith vient d’être modifié et les autres sessions ont été fermées.',
      'Si ce n’était pas vous, demandez tout de suite un nouveau mot de passe (« mot de passe oublié ») et prévenez votre administrateur.',
    ],
  },
  invitation: {
    subject: '{inviter} vous invite à rejoindre {place}',
    paragraphs: [
      'Bonjour,',
      '{inviter} vous invite à participer à {place} sur Worksmith. Inscrivez-vous ou connectez-vous avec cette adresse et indiquez ce jeton d’invitation :',
      '{token}',
      'Il est valable jusqu’au {expires}.',
      'Si vous ne connaissez pas {inviter}, ne faites rien : l’invitation expirera d’elle-même.',
    ],
  },
  link_invitation: {
    subject: '{inviter} vous demande d’associer {place} à votre organisation',
    paragraphs: [
      'Bonjour,',
      '{inviter} vous invite à associer {place}, de {target}, à une organisation que vous administrez, afin que ses membres puissent y participer sur Worksmith. Connectez-vous avec cette adresse et acceptez avec ce jeton d’invitation et l’identifiant de votre organisation :',
      '{token}',
      'Il est valable jusqu’au {expires}.',
      'Si vous ne connaissez pas {inviter}, ne faites rien : l’invitation expirera d’elle-même.',
    ],
  },
  email_change: {
    subject: 'Confirmez votre nouvelle adresse e-mail',
    paragraphs: [
      'Bonjour {name},',
      'votre compte Worksmith doit désormais utiliser cette adresse. Saisissez ce code pour la confirmer :',
      '{code}',
      'Il est valable {minutes} minutes et ne sert qu’une fois.',
      'Si ce n’était pas vous, ne faites rien : aucun compte n’utilisera votre adresse.',
    ],
  },
  email_changed: {
    subject: 'Votre adresse e-mail a été modifiée',
    paragraphs: [
      'Bonjour {name},',
      'votre compte Worksmith utilise désormais l’adresse {new_email}. Celle-ci n’est plus utilisée.',
      'Si ce n’était pas vous, prévenez immédiatement votre administrateur : quelqu’un connaît votre mot de passe.',
    ],
  },
  step_up: {
    subject: 'Confirmez que c’est bien vous',
    paragraphs: [
      'Bonjour {name},',
      'un code a été demandé pour confirmer que c’est bien vous qui utilisez votre compte Worksmith. Saisissez-le :',
      '{code}',
      'Il est valable {minutes} minutes et ne sert qu’une fois.',
      'Si ce n’était pas vous, quelqu’un utilise l’une de vos sessions : fermez-les toutes et prévenez votre administrateur.',
    ],
  },
  second_factor_enabled: {
    subject: 'Un second facteur a été activé',
    paragraphs: [
      'Bonjour {name},',
      'désormais, la connexion à votre compte Worksmith demande un code de votre application ' +
        'd’authentification. Gardez vos codes de secours là où vous les trouverez sans elle.',
      'Si ce n’était pas vous, quelqu’un utilise l’une de vos sessions : prévenez immédiatement votre ' +
        'administrateur.',
    ],
  },
  second_factor_disabled: {
    subject: 'Votre second facteur a été désactivé',
    paragraphs: [
      'Bonjour {name},',
      'le second facteur de votre compte Worksmith vient d’être désactivé, et vos autres sessions ont été ' +
        'fermées. La connexion ne demande plus que votre mot de passe.',
      'Si ce n’était pas vous, changez immédiatement votre mot de passe et prévenez votre administrateur.',
    ],
  },
  recovery_codes_replaced: {
    subject: 'Vos codes de secours ont été remplacés',
    paragraphs: [
      'Bonjour {name},',
      'votre compte Worksmith a de nouveaux codes de secours. Les anciens ne sont plus valables, et vos ' +
        'autres sessions ont été fermées.',
      'Si ce n’était pas vous, changez immédiatement votre mot de passe et prévenez votre administrateur.',
    ],
  },
  recovery_code_used: {
    subject: 'Un code de secours a été utilisé',
    paragraphs: [
      'Bonjour {name},',
      'l’un des codes de secours de votre compte Worksmith vient de servir à une connexion. Il ne peut ' +
        'plus servir.',
      'Si ce n’était pas vous, changez immédiatement votre mot de passe et remplacez vos codes de secours.',
    ],
  },
  passkey_added: {
    subject: 'Une clé d’accès a été ajoutée',
    paragraphs: [
      'Bonjour {name},',
      'votre compte Worksmith a une nouvelle clé d’accès, qui vous connecte sans mot de passe.',
      'Si ce n’était pas vous, supprimez-la, changez votre mot de passe et prévenez votre administrateur.',
    ],
  },
  passkey_removed: {
    subject: 'Une clé d’accès a été supprimée',
    paragraphs: [
      'Bonjour {name},',
      'une clé d’accès de votre compte Worksmith vient d’être supprimée, et vos autres sessions ont été fermées.',
      'Si ce n’était pas vous, changez immédiatement votre mot de passe et prévenez votre administrateur.',
    ],
  },
  passkey_copied: {
    subject: 'Une clé d’accès a été refusée',
    paragraphs: [
      'Bonjour {name},',
      'une clé d’accès de votre compte Worksmith a été utilisée comme s’il en existait une copie. La ' +
        'connexion a été refusée.',
      'Supprimez cette clé et ajoutez-en une nouvelle. Si ce n’était pas vous, prévenez votre administrateur.',
    ],
  },
  identity_linked: {
    subject: 'Un moyen de connexion a été ajouté',
    paragraphs: [
      'Bonjour {name},',
      'vous pouvez désormais vous connecter à votre compte Worksmith avec {provider}.',
      "Si ce n'était pas vous, retirez-le, changez votre mot de passe et prévenez votre administration.",
    ],
  },
  identity_removed: {
    subject: 'Un moyen de connexion a été retiré',
    paragraphs: [
      'Bonjour {name},',
      'vous ne pouvez plus vous connecter à votre compte Worksmith avec {provider}, et vos autres sessions ont été ' +
        'fermées.',
      "Si ce n'était pas vous, changez tout de suite votre mot de passe et prévenez votre administration.",
    ],
  },
  provider_sign_in: {
    subject: 'Vous vous connectez avec {provider}',
    paragraphs: [
      'Bonjour {name},',
      "un nouveau mot de passe a été demandé pour votre compte Worksmith. Vous pouvez vous connecter sans mot de passe, avec {provider}. Un autre e-mail contient un code pour un nouveau mot de passe, s'il est possible d'en définir un.",
      "Si ce n'était pas vous, vous n'avez rien à faire.",
    ],
  },
  domain_record_absent: {
    subject: "L'enregistrement de {domain} manque",
    paragraphs: [
      'Bonjour {name},',
      "{place}, dont vous êtes propriétaire, a prouvé par un enregistrement TXT que {domain} lui appartient. Les serveurs de noms ne l'affichent plus :",
      '{record}',
      "Si l'enregistrement ne revient pas, la preuve prend fin. Jours restants : {days}. Les connexions par le fournisseur de l'organisation cessent alors pour les adresses de ce domaine, dans la mesure où elles en dépendent.",
    ],
  },
  domain_proof_ended: {
    subject: "{domain} n'est plus prouvé",
    paragraphs: [
      'Bonjour {name},',
      "l'enregistrement TXT de {domain} manque depuis sept jours : {place}, dont vous êtes propriétaire, n'est donc plus considérée comme titulaire du domaine. Ses fournisseurs ne créent et ne lient plus de comptes avec des adresses de ce domaine. Les adhésions restent inchangées.",
      "Pour le prouver à nouveau, ajoutez l'enregistrement et vérifiez le domaine :",
      '{record}',
    ],
  },
  message_copy: {
    subject: '{sender} : {subject}',
    paragraphs: [
      'Bonjour {name},',
      '{sender} vous a écrit dans Worksmith :',
      '{content}',
      'Vous recevez une copie parce que vous l’avez demandée ; le réglage « email_copy » de votre profil la désactive.',
    ],
  },
  message_copies: {
    subject: 'Messages dans Worksmith : {count}',
    paragraphs: [
      'Bonjour {name},',
      'vous avez reçu ces messages dans Worksmith :',
      '{items}',
      'Vous recevez ces copies parce que vous les avez demandées ; le réglage « email_copy » de votre profil les désactive.',
    ],
  },
  notifications: {
    subject: '{count} nouveautés dans Worksmith',
    paragraphs: [
      'Bonjour {name},',
      'voici ce qui s’est passé dans Worksmith et que vous n’avez pas encore lu :',
      '{items}',
      'Vous recevez ce message parce que vous l’avez demandé ; le réglage « notify » de votre profil le désactive.',
    ],
  },
  container_archived: {
    subject: '{place} a été archivé',
    paragraphs: [
      'Bonjour {name},',
      '{sender} a archivé {place}, dont vous êtes propriétaire. Personne ne peut le modifier avant sa restauration.',
      'Chaque propriétaire peut le restaurer, avec tout son travail.',
    ],
  },
  container_erasure: {
    subject: '{place} va être effacé',
    paragraphs: [
      'Bonjour {name},',
      '{sender} a demandé l’effacement de {place}, dont vous êtes propriétaire. À partir du {date}, tout son contenu sera supprimé définitivement.',
      'D’ici là, chaque propriétaire peut arrêter l’effacement : restaurez {place}, ou envoyez DELETE à {path}.',
    ],
  },
  container_erasure_stopped: {
    subject: '{place} ne sera pas effacé',
    paragraphs: ['Bonjour {name},', '{sender} a arrêté l’effacement de {place}, dont vous êtes propriétaire.'],
  },
  endeavour_transfer_requested: {
    subject: '{sender} veut transférer {place}',
    paragraphs: [
      'Bonjour {name},',
      '{sender} veut transférer {place}, dont vous êtes propriétaire, à l’organisation {target} ({target_id}). Il appartiendra alors à ses propriétaires.',
      'Un second propriétaire décide : si vous êtes d’accord, envoyez POST à {path} avec cet organization_id. Sinon, vous n’avez rien à faire.',
    ],
  },
  endeavour_transferred: {
    subject: '{place} a été transféré',
    paragraphs: [
      'Bonjour {name},',
      '{sender} a transféré {place}, dont vous étiez propriétaire, à l’organisation {target}. Il appartient maintenant à ses propriétaires.',
    ],
  },
  endeavour_unlinked: {
    subject: '{place} n’est plus lié à {target}',
    paragraphs: [
      'Bonjour {name},',
      '{sender} a mis fin au lien de {place}, dont vous êtes ou étiez propriétaire, avec l’organisation {target}.',
      'S’il s’agissait de son organisation d’attache, {place} n’appartient plus qu’à ses propriétaires directs.',
    ],
  },
  email_assigned: {
    subject: 'Votre compte utilise cette adresse e-mail',
    paragraphs: [
      'Bonjour {name},',
      'l’annuaire de votre organisation a remplacé l’adresse de votre compte Worksmith par {new_email}.',
      'Si cela n’est pas exact, prévenez votre administration.',
    ],
  },
  scim_token_expiring: {
    subject: 'Un jeton de provisionnement de {place} expire',
    paragraphs: [
      'Bonjour {name},',
      'le jeton de provisionnement « {token_name} » de {place}, dont vous êtes propriétaire, expire le {date}. Votre annuaire ne pourra alors plus modifier de comptes.',
      'Créez-en un nouveau, saisissez-le dans votre annuaire, puis supprimez l’ancien.',
    ],
  },
  last_owner_dismissed: {
    subject: '{place} a perdu son dernier propriétaire',
    paragraphs: [
      'Bonjour {name},',
      'l’annuaire de {place} a congédié {person}, seul propriétaire actif. Ses sessions et jetons d’accès ont pris fin ; son rôle demeure, pour que l’organisation ait un propriétaire.',
      'Donnez ce rôle à quelqu’un d’autre.',
    ],
  },
};
