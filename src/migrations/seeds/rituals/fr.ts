import type { RitualText } from './ritual-text.js';

/** The built-in rituals in French, in the order of the English ones. */
export const FRENCH_RITUALS: readonly RitualText[] = [
  {
    name: 'Revue des tâches',
    description: 'Garde le travail en cours fidèle à la réalité : statuts, responsables, échéances, blocages.',
    prompt: `Passez en revue les tâches actives de ce projet (GET /tasks?endeavour_id=...&status=active).

Pour chacune :
1. Quelqu'un y travaille-t-il encore ? Si rien n'a changé depuis un jour, demandez en commentaire ce qui bloque.
2. Son statut dit-il vrai ? Corrigez-le, en donnant le motif s'il s'agit d'une annulation.
3. Son échéance est-elle dépassée, ou plus proche que l'estimation ne le permet ? Signalez-le à la personne responsable et proposez une nouvelle date ou un périmètre réduit.
4. N'a-t-elle ni personne désignée ni échéance ? Dites qui devrait s'en charger, et pour quand.

Ne modifiez que ce dont vous êtes sûr ; pour tout le reste, posez une question en commentaire.
Terminez par un résumé de dix lignes au plus : ce qui a avancé, ce qui est bloqué et par quoi, ce qui attend une décision et de qui.`,
  },
  {
    name: 'Bilan de santé',
    description: "Avertit tôt lorsqu'un projet s'écarte de sa route.",
    prompt: `Évaluez la santé de ce projet à partir de son rapport (GET /reports/endeavour/{id}).

Regardez : les tâches en retard, les tâches inchangées depuis deux semaines, les tâches ouvertes que personne ne porte, les demandes urgentes sans tâche, les rituels dont la dernière exécution a échoué, et s'il s'est créé la semaine dernière plus de tâches qu'il ne s'en est terminé.

Rendez un seul verdict :
- vert : rien en retard, aucune urgence laissée de côté
- jaune : quelque chose dérape, et les personnes concernées peuvent y remédier
- rouge : un objectif ou la date de fin est en danger

N'envoyez un message que si le verdict a changé depuis la dernière exécution, ou s'il est rouge. Citez les trois faits qui pèsent le plus, chacun avec un lien vers sa tâche ou sa demande, et une prochaine étape avec un nom. Ne répétez pas ce que disait le message précédent.`,
  },
  {
    name: 'Tri du backlog',
    description: 'Transforme les nouvelles demandes en travail réalisable.',
    prompt: `Parcourez les demandes ouvertes de ce projet qui n'ont pas encore de tâche, en commençant par les plus anciennes (GET /demands?endeavour_id=...&status=open).

Pour chacune :
1. Est-elle compréhensible ? Sinon, posez en commentaire une question précise à la personne qui l'a créée, et passez à la suivante.
2. Existe-t-elle déjà ? Reliez les deux comme doublons et proposez d'annuler l'une d'elles.
3. Fixez sa priorité : urgente seulement si quelqu'un est bloqué en ce moment même, haute si un objectif en dépend.
4. Découpez-la en tâches qu'une personne peut terminer en deux jours. Chaque titre dit ce qui aura changé ensuite.
5. Donnez à ce qui est urgent ou haut une personne responsable et une échéance.

Ne touchez pas aux demandes sur lesquelles on travaille déjà. Indiquez combien ont été triées et quelles questions restent ouvertes.`,
  },
  {
    name: "Point d'avancement",
    description: 'Une fois par jour, en bref, ce qui a bougé.',
    prompt: `Rédigez le point des dernières 24 heures pour toutes les personnes de ce projet.

Ne retenez que ce qui a réellement changé : tâches terminées ou commencées, demandes satisfaites ou nouvelles, décisions prises dans les commentaires et les approbations.

Forme, un écran au plus :
- Terminé : une ligne par élément, avec le nom de qui l'a fait
- En cours : ce qui a changé de mains ou de statut
- Nouveau : les demandes et tâches qu'il faut connaître
- Bloqué : ce qui attend, qui est attendu, depuis quand
- Ensuite : les trois choses qui ont le plus de chances d'être terminées demain

Pas de félicitations, pas de remplissage, pas de chiffres sans signification. Si rien n'a bougé, dites-le en une phrase et demandez pourquoi.`,
  },
  {
    name: 'Revue des objectifs',
    description: 'Confronte le travail aux objectifs du projet.',
    prompt: `Confrontez les objectifs de ce projet à ce qui se fait réellement.

Pour chaque objectif :
1. Quelles demandes et quelles tâches le servent ? Nommez-les. Un objectif que rien ne sert a besoin de travail, ou d'une fin.
2. Qu'a-t-on terminé pour lui la semaine dernière, et que reste-t-il ?
3. À ce rythme, sera-t-il atteint à la date de fin ? Montrez votre calcul, pas seulement la réponse.
4. Proposez son état : ouvert, atteint (dites ce qui le prouve) ou abandonné (dites pourquoi).

Puis en sens inverse : nommez le travail en cours qui ne sert aucun objectif, et demandez à la personne responsable s'il doit continuer.
Concluez par trois décisions à prendre au plus, chacune avec une proposition.`,
  },
  {
    name: 'Liste des tâches',
    description: "Une simple liste de ce qui est à faire, chaque fois que quelqu'un la demande.",
    prompt: `Listez les tâches ouvertes de ce projet pour la personne qui l'a demandé.

D'abord les siennes, puis celles que personne ne porte, puis les autres. Dans chaque groupe : d'abord les retards, ensuite par échéance, enfin celles sans échéance.
Une ligne par tâche : titre, statut, personne désignée, échéance et, le cas échéant, ce qu'elle attend.
Pour finir, une phrase : par quoi vous commenceriez, et pourquoi.`,
  },
  {
    name: 'Tableau kanban',
    description: "L'état du travail en colonnes, avec un regard sur ce qui s'accumule.",
    prompt: `Dessinez le tableau de ce projet sous forme de tableau Markdown avec les colonnes Prévu, En cours et Terminé (les sept derniers jours).

Placez chaque tâche dans sa colonne avec son titre et la personne désignée, la plus ancienne en haut. Signalez les tâches en retard et celles qui sont en cours depuis plus de cinq jours.
Sous le tableau :
- le travail en cours par personne ; plus de trois tâches actives pour une même personne méritent un mot
- où les cartes s'accumulent, et depuis quand
- ce qui pourrait être tiré ensuite, dans l'ordre, en tenant compte de la priorité et de l'échéance`,
  },
  {
    name: 'Mêlée quotidienne',
    description: "Un quart d'heure en début de journée, par écrit.",
    prompt: `Bonjour. Merci de répondre dans ce fil avant dix heures, en trois lignes :

1. Qu'ai-je terminé depuis la dernière mêlée ? (avec les liens vers les tâches)
2. Que vais-je terminer aujourd'hui ?
3. Qu'est-ce qui me bloque, et qui peut m'aider ?

Mettez ensuite vos tâches dans l'état que vous venez de décrire : statut, personne désignée, échéance.
La personne qui anime rassemble les réponses à dix heures, met en contact celles et ceux qui peuvent s'entraider et note ce qui doit se décider en dehors de ce point. Les discussions ont leur place dans les tâches concernées, pas ici.`,
  },
  {
    name: 'Bilan de la semaine',
    description: "La semaine en une page, pour qui n'était pas là tous les jours.",
    prompt: `Racontez la semaine de ce projet en une page, pour les parties prenantes qui ne le suivent pas au quotidien. Appuyez-vous sur le rapport du projet (GET /reports/endeavour/{id}).

- En une phrase : sommes-nous dans les temps ?
- Que peut-on faire aujourd'hui qu'on ne pouvait pas faire vendredi dernier ?
- Qu'était-il prévu cette semaine qui n'a pas eu lieu, et pourquoi ?
- Quelles décisions ont été prises, et par qui ?
- Qu'est-ce qui sera différent vendredi prochain ?
- Où avons-nous besoin d'aide, de qui et pour quand ?

Écrivez des phrases entières, avec des mots simples. Laissez de côté ce qui n'est utile qu'à l'équipe.`,
  },
  {
    name: 'Rétrospective',
    description: 'Regarde en arrière, et change une chose.',
    prompt: `Préparez et animez la rétrospective des deux dernières semaines.

Avant : rassemblez des faits. Ce qui était prévu, ce qui a été fait, ce qui a été annulé et pourquoi, combien de temps les tâches sont restées en cours, quels contrôles de la définition de terminé ont le plus échoué, quelles exécutions de rituels ont échoué.
Ensemble, chacun d'abord par écrit :
1. Qu'est-ce qui nous a aidés ?
2. Qu'est-ce qui nous a freinés ?
3. Qu'est-ce qui nous a surpris ?
Regroupez les réponses et choisissez l'obstacle dont la disparition aiderait le plus. Cherchez les causes dans notre façon de travailler, pas chez les personnes.
Mettez-vous d'accord sur un changement, deux au plus. Chacun devient une tâche avec une personne responsable, une échéance d'ici deux semaines et un signe auquel nous verrons s'il a aidé.
Commencez par les changements de la dernière fois : ont-ils aidé ? Gardez-les, adaptez-les ou abandonnez-les.`,
  },
  {
    name: 'Planification du sprint',
    description: 'Décide de ce qui sera terminé dans les deux semaines à venir.',
    prompt: `Préparez et animez la planification des deux prochaines semaines.

1. Que reste-t-il des deux dernières semaines ? À terminer, à réduire ou à annuler ; rien n'est reconduit sans examen.
2. Qui est présent, et pour combien d'heures ? On en planifie les quatre cinquièmes.
3. Quel objectif servons-nous ? Dites-le en une phrase que chacun peut répéter.
4. Prenez les demandes dans l'ordre de leur priorité. Pour chacune : est-elle comprise, qu'est-ce qui prouvera qu'elle est terminée, quelle est sa taille ? Découpez ce qui dépasse deux jours.
5. Arrêtez-vous quand la capacité est épuisée. Ce qui n'entre pas reste où il est.
6. Chaque tâche retenue reçoit une personne responsable, une estimation et une échéance.

Notez : l'objectif, les tâches retenues et leurs responsables, ce qui a été volontairement laissé de côté, et les deux plus grands risques avec ce que nous faisons pour les réduire.`,
  },
];
