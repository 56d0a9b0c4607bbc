import type { RitualText } from './ritual-text.js';

/** The built-in rituals in Spanish, in the order of the English ones. */
export const SPANISH_RITUALS: readonly RitualText[] = [
  {
    name: 'Revisión de tareas',
    description: 'Mantiene al día el trabajo en curso: estados, responsables, plazos y bloqueos.',
    prompt: `Revisa las tareas activas de este proyecto (GET /tasks?endeavour_id=...&status=active).

Para cada una:
1. ¿Se sigue trabajando en ella? Si no ha cambiado nada en un día, pregunta en un comentario qué lo impide.
2. ¿Su estado dice la verdad? Corrígelo, con un motivo si se cancela.
3. ¿Ha vencido su plazo, o está más cerca de lo que permite la estimación? Avisa a su responsable y propón otra fecha o un alcance menor.
4. ¿No tiene ni persona asignada ni plazo? Di quién debería encargarse y para cuándo.

Cambia solo aquello de lo que estés seguro; todo lo demás va como pregunta en un comentario.
Termina con un resumen de diez líneas como máximo: qué ha avanzado, qué está bloqueado y por qué, qué hay que decidir y quién debe hacerlo.`,
  },
  {
    name: 'Chequeo del proyecto',
    description: 'Avisa pronto cuando un proyecto se desvía de su rumbo.',
    prompt: `Valora la salud de este proyecto a partir de su informe (GET /reports/endeavour/{id}).

Fíjate en: tareas vencidas, tareas sin cambios desde hace dos semanas, tareas abiertas sin asignar, demandas urgentes sin tarea, rituales cuya última ejecución ha fallado, y si en la última semana se ha creado más de lo que se ha terminado.

Da un único veredicto:
- verde: nada vencido, nada urgente sin atender
- amarillo: algo se está retrasando y quienes participan pueden arreglarlo
- rojo: peligra un objetivo o la fecha de fin

Envía un mensaje solo si el veredicto ha cambiado desde la última ejecución o si es rojo. Nombra los tres hechos que más pesan, cada uno con un enlace a su tarea o demanda, y un siguiente paso con nombre. No repitas lo que ya decía el último mensaje.`,
  },
  {
    name: 'Triaje del backlog',
    description: 'Convierte las demandas nuevas en algo en lo que se puede trabajar.',
    prompt: `Recorre las demandas abiertas de este proyecto que aún no tienen tareas, empezando por las más antiguas (GET /demands?endeavour_id=...&status=open).

Para cada una:
1. ¿Se entiende? Si no, haz en un comentario una pregunta precisa a quien la creó y sigue adelante.
2. ¿Existe ya? Relaciona ambas como duplicadas y propón cancelar una de ellas.
3. Fija su prioridad: urgente solo si alguien está parado ahora mismo, alta si de ella depende un objetivo.
4. Divídela en tareas que una persona pueda terminar en dos días. Cada título dice qué será distinto después.
5. Da a lo urgente y a lo de prioridad alta un responsable y un plazo.

No toques las demandas en las que ya se está trabajando. Informa de cuántas se han revisado y de qué preguntas siguen abiertas.`,
  },
  {
    name: 'Resumen diario',
    description: 'Una vez al día, en breve, lo que se ha movido.',
    prompt: `Escribe el resumen de las últimas 24 horas para todas las personas de este proyecto.

Usa solo lo que de verdad ha cambiado: tareas terminadas y empezadas, demandas cumplidas y nuevas, decisiones en comentarios y aprobaciones.

Formato, una pantalla como máximo:
- Terminado: una línea por elemento, con quién lo hizo
- En curso: lo que ha cambiado de manos o de estado
- Nuevo: demandas y tareas que conviene conocer
- Bloqueado: qué espera, a quién y desde cuándo
- A continuación: las tres cosas que más probablemente se terminen mañana

Sin elogios, sin relleno, sin cifras que no digan nada. Si no se ha movido nada, dilo en una frase y pregunta por qué.`,
  },
  {
    name: 'Revisión de objetivos',
    description: 'Contrasta el trabajo con los objetivos del proyecto.',
    prompt: `Contrasta los objetivos de este proyecto con lo que se está haciendo.

Para cada objetivo:
1. ¿Qué demandas y tareas contribuyen a él? Nómbralas. Un objetivo al que nada contribuye necesita trabajo o un final.
2. ¿Qué se terminó para él la semana pasada y qué queda?
3. A este ritmo, ¿se logrará antes de la fecha de fin? Muestra tu cálculo, no solo la respuesta.
4. Propón su estado: abierto, logrado (di qué lo demuestra) o abandonado (di por qué).

Después, al revés: nombra el trabajo en curso que no contribuye a ningún objetivo y pregunta a su responsable si debe continuar.
Cierra con tres decisiones pendientes como máximo, cada una con una propuesta.`,
  },
  {
    name: 'Lista de tareas',
    description: 'Una lista sencilla de lo que hay que hacer, siempre que alguien la pida.',
    prompt: `Enumera las tareas abiertas de este proyecto para la persona que lo ha pedido.

Primero las suyas, luego las que no tienen a nadie asignado y después el resto. Dentro de cada grupo: primero las vencidas, después por plazo y al final las que no tienen plazo.
Una línea por tarea: título, estado, persona asignada, plazo y, si procede, a qué espera.
Al final, una frase: por dónde empezarías y por qué.`,
  },
  {
    name: 'Tablero kanban',
    description: 'El estado del trabajo en columnas, con una mirada a lo que se acumula.',
    prompt: `Dibuja el tablero de este proyecto como una tabla Markdown con las columnas Previsto, En curso y Hecho (los últimos siete días).

Coloca cada tarea en su columna con su título y la persona asignada, la más antigua arriba. Señala las vencidas y las que llevan más de cinco días en curso.
Debajo de la tabla:
- el trabajo en curso por persona; más de tres tareas activas de una misma persona merecen un comentario
- dónde se acumulan las tarjetas y desde cuándo
- qué se podría empezar a continuación, por orden, teniendo en cuenta la prioridad y el plazo`,
  },
  {
    name: 'Reunión diaria',
    description: 'Un cuarto de hora al empezar el día, por escrito.',
    prompt: `Buenos días. Responded en este hilo antes de las diez, en tres líneas:

1. ¿Qué he terminado desde la última reunión diaria? (con enlaces a las tareas)
2. ¿Qué voy a terminar hoy?
3. ¿Qué me lo impide y quién puede ayudar?

Después, poned vuestras tareas en el estado que acabáis de describir: estado, persona asignada y plazo.
Quien dirige la ronda recoge las respuestas a las diez, pone en contacto a quienes pueden ayudarse y anota lo que hay que decidir fuera de ella. Los debates van en las tareas correspondientes, no aquí.`,
  },
  {
    name: 'Resumen semanal',
    description: 'La semana en una página, para quienes no han estado cada día.',
    prompt: `Cuenta la semana de este proyecto en una página, para las partes interesadas que no lo siguen a diario. Toma como fuente el informe del proyecto (GET /reports/endeavour/{id}).

- En una frase: ¿vamos según lo previsto?
- ¿Qué se puede hacer ahora que no se podía el viernes pasado?
- ¿Qué estaba previsto para esta semana y no ha ocurrido, y por qué?
- ¿Qué decisiones se han tomado y quién las ha tomado?
- ¿Qué será distinto el próximo viernes?
- ¿Dónde necesitamos ayuda, de quién y para cuándo?

Escribe frases completas y palabras sencillas. Deja fuera todo lo que solo necesita el equipo.`,
  },
  {
    name: 'Retrospectiva',
    description: 'Mira atrás y cambia una cosa.',
    prompt: `Prepara y dirige la retrospectiva de las dos últimas semanas.

Antes: reúne hechos. Qué estaba previsto, qué se hizo, qué se canceló y por qué, cuánto tiempo estuvieron las tareas en curso, qué comprobaciones de la definición de hecho fallaron más y qué ejecuciones de rituales fallaron.
En grupo, cada persona primero por escrito:
1. ¿Qué nos ha ayudado?
2. ¿Qué nos ha frenado?
3. ¿Qué nos ha sorprendido?
Agrupad las respuestas y elegid el obstáculo cuya desaparición más ayudaría. Buscad las causas en nuestra forma de trabajar, no en las personas.
Acordad un cambio, dos como máximo. Cada uno se convierte en una tarea con responsable, un plazo de dos semanas como mucho y una señal por la que sabremos si ha ayudado.
Empezad por los cambios de la última vez: ¿han ayudado? Mantenedlos, adaptadlos o abandonadlos.`,
  },
  {
    name: 'Planificación del sprint',
    description: 'Decide qué se terminará en las próximas dos semanas.',
    prompt: `Prepara y dirige la planificación de las próximas dos semanas.

1. ¿Qué queda de las dos últimas semanas? Se termina, se reduce o se cancela; nada pasa adelante sin revisarse.
2. ¿Quién está disponible y cuántas horas? Se planifican cuatro quintas partes.
3. ¿A qué objetivo contribuimos? Expresadlo en una frase que cualquiera pueda repetir.
4. Tomad las demandas por orden de prioridad. Para cada una: ¿se entiende, qué demostrará que está hecha, qué tamaño tiene? Dividid lo que supere los dos días.
5. Parad cuando se agote la capacidad. Lo que no cabe se queda donde está.
6. Cada tarea elegida recibe un responsable, una estimación y un plazo.

Dejad por escrito: el objetivo, las tareas elegidas con sus responsables, lo que se ha dejado fuera a propósito y los dos mayores riesgos con lo que hacemos ante ellos.`,
  },
];
