import type { RitualText } from './ritual-text.js';

/** The built-in rituals in German, in the order of the English ones. */
export const GERMAN_RITUALS: readonly RitualText[] = [
  {
    name: 'Aufgabendurchsicht',
    description: 'Hält die laufende Arbeit wahrheitsgetreu: Status, Zuständige, Termine, Hindernisse.',
    prompt: `Sieh die aktiven Aufgaben dieses Vorhabens durch (GET /tasks?endeavour_id=...&status=active).

Für jede Aufgabe:
1. Wird noch daran gearbeitet? Hat sich seit einem Tag nichts geändert, frage in einem Kommentar, was im Weg steht.
2. Stimmt der Status? Setze ihn richtig; bei einem Abbruch mit Begründung.
3. Ist der Termin überschritten oder näher, als die Schätzung erlaubt? Sage es der verantwortlichen Person und schlage einen neuen Termin oder einen kleineren Umfang vor.
4. Fehlen Zuweisung und Termin? Nenne, wer die Aufgabe übernehmen sollte und bis wann.

Ändere nur, wobei du sicher bist; alles andere kommt als Frage in einen Kommentar.
Schließe mit einer Zusammenfassung von höchstens zehn Zeilen: was bewegt wurde, was wodurch blockiert ist, was wer entscheiden muss.`,
  },
  {
    name: 'Zustandsprüfung',
    description: 'Meldet früh, wenn ein Vorhaben vom Kurs abkommt.',
    prompt: `Beurteile den Zustand dieses Vorhabens anhand seines Berichts (GET /reports/endeavour/{id}).

Achte auf: überfällige Aufgaben, Aufgaben ohne Änderung seit zwei Wochen, offene Aufgaben ohne Zuweisung, dringende Anforderungen ohne Aufgabe, Rituale, deren letzter Durchlauf gescheitert ist, und ob in der letzten Woche mehr angelegt als erledigt wurde.

Gib genau ein Urteil ab:
- grün: nichts überfällig, nichts Dringendes unbeachtet
- gelb: etwas rutscht, und die Beteiligten können es selbst richten
- rot: ein Ziel oder der Endtermin ist in Gefahr

Schicke nur dann eine Nachricht, wenn sich das Urteil seit dem letzten Durchlauf geändert hat oder rot ist. Nenne die drei Tatsachen, die am schwersten wiegen, jede mit einem Verweis auf ihre Aufgabe oder Anforderung, und einen nächsten Schritt mit Namen. Wiederhole nicht, was schon in der letzten Nachricht stand.`,
  },
  {
    name: 'Sichtung des Backlogs',
    description: 'Macht aus neuen Anforderungen etwas, woran man arbeiten kann.',
    prompt: `Gehe die offenen Anforderungen dieses Vorhabens durch, die noch keine Aufgabe haben, die ältesten zuerst (GET /demands?endeavour_id=...&status=open).

Für jede Anforderung:
1. Ist sie verständlich? Wenn nicht, stelle in einem Kommentar eine genaue Frage an die Person, die sie angelegt hat, und gehe weiter.
2. Gibt es sie schon? Verknüpfe beide als Duplikat und schlage vor, eine davon abzubrechen.
3. Lege die Dringlichkeit fest: „dringend“ nur, wenn jemand gerade nicht weiterkommt, „hoch“, wenn ein Ziel davon abhängt.
4. Zerlege sie in Aufgaben, die eine Person in zwei Tagen schafft. Jeder Titel sagt, was danach anders ist.
5. Gib allem, was dringend oder hoch ist, eine verantwortliche Person und einen Termin.

Lass Anforderungen in Ruhe, an denen schon gearbeitet wird. Berichte, wie viele gesichtet wurden und welche Fragen offen sind.`,
  },
  {
    name: 'Tagesübersicht',
    description: 'Einmal am Tag in Kürze, was sich bewegt hat.',
    prompt: `Schreibe für alle in diesem Vorhaben die Übersicht der letzten 24 Stunden.

Nimm nur, was sich wirklich geändert hat: erledigte und begonnene Aufgaben, erfüllte und neue Anforderungen, Entscheidungen in Kommentaren und Freigaben.

Form, höchstens eine Bildschirmseite:
- Erledigt: je eine Zeile, mit Namen
- In Arbeit: was den Status oder die Zuständigen gewechselt hat
- Neu: Anforderungen und Aufgaben, die man kennen sollte
- Im Weg: worauf gewartet wird, auf wen, seit wann
- Als Nächstes: die drei Dinge, die morgen am ehesten fertig werden

Kein Lob, keine Füllwörter, keine Zahlen ohne Aussage. Hat sich nichts bewegt, sage es in einem Satz und frage nach dem Grund.`,
  },
  {
    name: 'Zielüberprüfung',
    description: 'Misst die Arbeit an den Zielen des Vorhabens.',
    prompt: `Halte die Ziele dieses Vorhabens gegen das, was tatsächlich getan wird.

Für jedes Ziel:
1. Welche Anforderungen und Aufgaben dienen ihm? Nenne sie. Ein Ziel, dem nichts dient, braucht Arbeit oder ein Ende.
2. Was wurde dafür in der letzten Woche fertig, und was fehlt noch?
3. Wird es bei diesem Tempo bis zum Endtermin erreicht? Zeige deine Rechnung, nicht nur das Ergebnis.
4. Schlage seinen Stand vor: offen, erreicht (womit belegt?) oder aufgegeben (warum?).

Danach umgekehrt: Nenne laufende Arbeit, die keinem Ziel dient, und frage die Verantwortlichen, ob sie weitergehen soll.
Schließe mit höchstens drei Entscheidungen, die anstehen, jede mit einem Vorschlag.`,
  },
  {
    name: 'Aufgabenliste',
    description: 'Eine schlichte Liste dessen, was zu tun ist, wann immer jemand fragt.',
    prompt: `Liste die offenen Aufgaben dieses Vorhabens für die Person auf, die gefragt hat.

Zuerst ihre eigenen, dann die ohne Zuweisung, dann die übrigen. Innerhalb jeder Gruppe: Überfälliges zuerst, dann nach Termin, dann ohne Termin.
Eine Zeile je Aufgabe: Titel, Status, Zuweisung, Termin und gegebenenfalls, worauf sie wartet.
Am Ende ein Satz: womit du anfangen würdest und warum.`,
  },
  {
    name: 'Kanban-Tafel',
    description: 'Der Stand der Arbeit in Spalten, mit einem Blick auf das, was sich staut.',
    prompt: `Zeichne die Tafel dieses Vorhabens als Markdown-Tabelle mit den Spalten Geplant, In Arbeit und Erledigt (letzte sieben Tage).

Setze jede Aufgabe mit Titel und zugewiesener Person in ihre Spalte, die älteste oben. Markiere Überfälliges und was länger als fünf Tage in Arbeit ist.
Unter der Tabelle:
- laufende Arbeit je Person; mehr als drei aktive Aufgaben einer Person sind ein Wort wert
- wo sich Karten stauen und seit wann
- was als Nächstes gezogen werden könnte, der Reihe nach, unter Beachtung von Dringlichkeit und Termin`,
  },
  {
    name: 'Tägliches Standup',
    description: 'Eine Viertelstunde zu Beginn des Tages, schriftlich.',
    prompt: `Guten Morgen. Bitte antwortet bis zehn Uhr in diesem Thread, in drei Zeilen:

1. Was habe ich seit dem letzten Standup fertiggestellt? (Aufgaben verlinken)
2. Was stelle ich heute fertig?
3. Was steht mir im Weg, und wer kann helfen?

Bringt danach eure Aufgaben auf den Stand, den ihr gerade beschrieben habt: Status, Zuweisung, Termin.
Wer die Runde leitet, sammelt um zehn die Antworten, bringt zusammen, wer einander helfen kann, und hält fest, was außerhalb dieser Runde zu entscheiden ist. Diskussionen gehören in die betreffenden Aufgaben, nicht hierher.`,
  },
  {
    name: 'Wochenübersicht',
    description: 'Die Woche auf einer Seite, für alle, die nicht jeden Tag dabei waren.',
    prompt: `Beschreibe die Woche dieses Vorhabens auf einer Seite, für Interessierte, die es nicht täglich verfolgen. Grundlage ist der Bericht des Vorhabens (GET /reports/endeavour/{id}).

- In einem Satz: Sind wir auf Kurs?
- Was geht jetzt, was am letzten Freitag noch nicht ging?
- Was war für diese Woche geplant und ist nicht geschehen, und warum?
- Welche Entscheidungen sind gefallen, durch wen?
- Was wird nächsten Freitag anders sein?
- Wo brauchen wir Hilfe, von wem und bis wann?

Schreibe in ganzen Sätzen und einfachen Worten. Lass weg, was nur das Team selbst braucht.`,
  },
  {
    name: 'Retrospektive',
    description: 'Blickt zurück und ändert eine Sache.',
    prompt: `Bereite die Retrospektive der letzten zwei Wochen vor und leite sie.

Vorher: Sammle Tatsachen. Was war geplant, was wurde erledigt, was wurde abgebrochen und warum, wie lange waren Aufgaben in Arbeit, welche Prüfungen der Definition of Done sind am häufigsten gescheitert, welche Durchläufe von Ritualen?
Gemeinsam, zunächst jede Person schriftlich:
1. Was hat uns geholfen?
2. Was hat uns aufgehalten?
3. Was hat uns überrascht?
Ordnet die Antworten und wählt das eine Hindernis, dessen Wegfall am meisten hilft. Sucht die Ursachen in der Arbeitsweise, nicht bei Personen.
Einigt euch auf eine Änderung, höchstens zwei. Aus jeder wird eine Aufgabe mit verantwortlicher Person, einem Termin innerhalb von zwei Wochen und einem Zeichen, an dem wir erkennen, ob sie geholfen hat.
Beginnt mit den Änderungen vom letzten Mal: Haben sie geholfen? Behalten, anpassen oder fallen lassen.`,
  },
  {
    name: 'Sprintplanung',
    description: 'Entscheidet, was in den nächsten zwei Wochen fertig wird.',
    prompt: `Bereite die Planung der nächsten zwei Wochen vor und leite sie.

1. Was ist von den letzten zwei Wochen übrig? Abschließen, verkleinern oder abbrechen; nichts wird ungesehen mitgenommen.
2. Wer ist da, und wie viele Stunden? Verplant werden davon vier Fünftel.
3. Welchem Ziel dienen wir? Fasst es in einen Satz, den alle wiederholen können.
4. Nehmt die Anforderungen in der Reihenfolge ihrer Dringlichkeit. Für jede: Ist sie verstanden, woran erkennt man, dass sie fertig ist, wie groß ist sie? Was größer als zwei Tage ist, wird zerlegt.
5. Hört auf, wenn die Kapazität verbraucht ist. Was nicht hineinpasst, bleibt, wo es ist.
6. Jede gewählte Aufgabe bekommt eine verantwortliche Person, eine Schätzung und einen Termin.

Haltet fest: das Ziel, die gewählten Aufgaben mit ihren Verantwortlichen, was bewusst draußen bleibt, und die zwei größten Risiken samt dem, was wir dagegen tun.`,
  },
];
