import type { MailTexts } from './mail-texts.js';

export const es: MailTexts = {
  closing: 'Enviado por Worksmith, {url}. Las respuestas a esta dirección no se leen.',
  verification: {
    subject: 'Confirma tu dirección de correo',
    paragraphs: [
      'Hola, {name}:',
      '¡Te damos la bienvenida a Worksmith! Alguien se ha registrado con esta dirección y el nombre «{name}». Para terminar, introduce este código:',
      '{code}',
      'Es válido durante {minutes} minutos y sirve una sola vez.',
      'Si no has sido tú, no hagas nada: sin el código no se crea ninguna cuenta.',
    ],
  },
  password_reset: {
    subject: 'Elige una contraseña nueva',
    paragraphs: [
      'Hola, {name}:',
      'Se ha pedido una contraseña nueva para tu cuenta de Worksmith. Introduce este código para elegirla:',
      '{code}',
      'Es válido durante {minutes} minutos y sirve una sola vez. Al cambiarla se cierran todas tus sesiones.',
      'Si no has sido tú, no hagas nada: tu contraseña sigue siendo la misma.',
    ],
  },
  password_changed: {
    subject: 'Tu contraseña ha cambiado',
    paragraphs: [
      'Hola, {name}:',
      'La contraseña de tu cuenta de Worksmith acaba de cambiar y las demás sesiones se han cerrado.',
      'Si no has sido tú, pide ahora mismo una contraseña nueva («he olvidado mi contraseña») y avisa a tu administrador.',
    ],
  },
  invitation: {
    subject: '{inviter} te invita a {place}',
    paragraphs: [
      'Hola:',
      '{inviter} te invita a colaborar en {place} en Worksmith. Regístrate o inicia sesión con esta dirección e indica este código de invitación:',
      '{token}',
      'Es válido hasta el {expires}.',
      'Si no conoces a {inviter}, no hagas nada: la invitación caduca sola.',
    ],
  },
  link_invitation: {
    subject: '{inviter} te pide que vincules {place} a tu organización',
    paragraphs: [
      'Hola:',
      '{inviter} te invita a vincular {place}, de {target}, a una organización que administras, para que sus miembros puedan colaborar ahí en Worksmith. Inicia sesión con esta dirección y acepta con este código de invitación y el identificador de tu organización:',
      '{token}',
      'Es válido hasta el {expires}.',
      'Si no conoces a {inviter}, no hagas nada: la invitación caduca sola.',
    ],
  },
  email_change: {
    subject: 'Confirma tu nueva dirección de correo',
    paragraphs: [
      'Hola, {name}:',
      'Tu cuenta de Worksmith va a usar esta dirección a partir de ahora. Introduce este código para confirmarla:',
      '{code}',
      'Es válido durante {minutes} minutos y sirve una sola vez.',
      'Si no has sido tú, no hagas nada: ninguna cuenta usará tu dirección.',
    ],
  },
  email_changed: {
    subject: 'Tu dirección de correo ha cambiado',
    paragraphs: [
      'Hola, {name}:',
      'Tu cuenta de Worksmith usa ahora la dirección {new_email}. Esta ya no se utiliza.',
      'Si no has sido tú, avisa enseguida a tu administrador: alguien conoce tu contraseña.',
    ],
  },
  step_up: {
    subject: 'Confirma que eres tú',
    paragraphs: [
      'Hola, {name}:',
      'Se ha solicitado un código para confirmar que eres tú quien usa tu cuenta de Worksmith. Introdúcelo:',
      '{code}',
      'Es válido durante {minutes} minutos y sirve una sola vez.',
      'Si no has sido tú, otra persona usa una de tus sesiones: ciérralas todas y avisa a tu administrador.',
    ],
  },
  second_factor_enabled: {
    subject: 'Se ha activado un segundo factor',
    paragraphs: [
      'Hola, {name}:',
      'A partir de ahora, para entrar en tu cuenta de Worksmith hace falta un código de tu aplicación de ' +
        'autenticación. Guarda tus códigos de recuperación donde los encuentres sin ella.',
      'Si no has sido tú, otra persona usa una de tus sesiones: avisa enseguida a tu administrador.',
    ],
  },
  second_factor_disabled: {
    subject: 'Se ha desactivado tu segundo factor',
    paragraphs: [
      'Hola, {name}:',
      'El segundo factor de tu cuenta de Worksmith se acaba de desactivar, y se han cerrado tus otras ' +
        'sesiones. Ahora basta tu contraseña para entrar.',
      'Si no has sido tú, cambia enseguida tu contraseña y avisa a tu administrador.',
    ],
  },
  recovery_codes_replaced: {
    subject: 'Se han sustituido tus códigos de recuperación',
    paragraphs: [
      'Hola, {name}:',
      'Tu cuenta de Worksmith tiene nuevos códigos de recuperación. Los antiguos ya no sirven, y se han ' +
        'cerrado tus otras sesiones.',
      'Si no has sido tú, cambia enseguida tu contraseña y avisa a tu administrador.',
    ],
  },
  recovery_code_used: {
    subject: 'Se ha usado un código de recuperación',
    paragraphs: [
      'Hola, {name}:',
      'Uno de los códigos de recuperación de tu cuenta de Worksmith se acaba de usar para entrar. No se ' +
        'puede volver a usar.',
      'Si no has sido tú, cambia enseguida tu contraseña y sustituye tus códigos de recuperación.',
    ],
  },
  passkey_added: {
    subject: 'Se ha añadido una clave de acceso',
    paragraphs: [
      'Hola, {name}:',
      'Tu cuenta de Worksmith tiene una nueva clave de acceso, con la que entras sin contraseña.',
      'Si no has sido tú, elimínala, cambia tu contraseña y avisa a tu administrador.',
    ],
  },
  passkey_removed: {
    subject: 'Se ha eliminado una clave de acceso',
    paragraphs: [
      'Hola, {name}:',
      'Se acaba de eliminar una clave de acceso de tu cuenta de Worksmith, y se han cerrado tus otras sesiones.',
      'Si no has sido tú, cambia enseguida tu contraseña y avisa a tu administrador.',
    ],
  },
  passkey_copied: {
    subject: 'Se ha rechazado una clave de acceso',
    paragraphs: [
      'Hola, {name}:',
      'Una clave de acceso de tu cuenta de Worksmith se ha usado como si hubiera una copia. Se ha ' +
        'rechazado la entrada.',
      'Elimina esa clave y añade una nueva. Si no has sido tú, avisa a tu administrador.',
    ],
  },
  identity_linked: {
    subject: 'Se añadió una forma de iniciar sesión',
    paragraphs: [
      'Hola, {name}:',
      'ahora puedes iniciar sesión en tu cuenta de Worksmith con {provider}.',
      'Si no fuiste tú, quítala, cambia tu contraseña y avisa a tu administración.',
    ],
  },
  identity_removed: {
    subject: 'Se quitó una forma de iniciar sesión',
    paragraphs: [
      'Hola, {name}:',
      'ya no puedes iniciar sesión en tu cuenta de Worksmith con {provider}, y se cerraron tus otras sesiones.',
      'Si no fuiste tú, cambia tu contraseña de inmediato y avisa a tu administración.',
    ],
  },
  provider_sign_in: {
    subject: 'Inicias sesión con {provider}',
    paragraphs: [
      'Hola, {name}:',
      'se ha solicitado una contraseña nueva para tu cuenta de Worksmith. Puedes iniciar sesión sin contraseña, con {provider}. Otro correo contiene un código para una contraseña nueva, si se puede establecer.',
      'Si no has sido tú, no tienes que hacer nada.',
    ],
  },
  domain_record_absent: {
    subject: 'Falta el registro de {domain}',
    paragraphs: [
      'Hola, {name}:',
      '{place}, de la que eres propietario, demostró con un registro TXT que {domain} es suyo. Los servidores de nombres ya no lo muestran:',
      '{record}',
      'Si el registro no vuelve, la prueba termina. Días restantes: {days}. Entonces los inicios de sesión con el proveedor de la organización dejan de funcionar para las direcciones de este dominio, en la medida en que dependen de él.',
    ],
  },
  domain_proof_ended: {
    subject: '{domain} ya no está demostrado',
    paragraphs: [
      'Hola, {name}:',
      'el registro TXT de {domain} falta desde hace siete días, por lo que {place}, de la que eres propietario, ya no cuenta como titular del dominio. Sus proveedores ya no crean ni enlazan cuentas con direcciones de este dominio. Las pertenencias no cambian.',
      'Para demostrarlo de nuevo, añade el registro y verifica el dominio:',
      '{record}',
    ],
  },
  message_copy: {
    subject: '{sender}: {subject}',
    paragraphs: [
      'Hola, {name}:',
      '{sender} te ha escrito en Worksmith:',
      '{content}',
      'Recibes una copia porque así lo pediste; el ajuste «email_copy» de tu perfil la desactiva.',
    ],
  },
  message_copies: {
    subject: 'Mensajes en Worksmith: {count}',
    paragraphs: [
      'Hola, {name}:',
      'has recibido estos mensajes en Worksmith:',
      '{items}',
      'Recibes estas copias porque así lo pediste; el ajuste «email_copy» de tu perfil las desactiva.',
    ],
  },
  notifications: {
    subject: '{count} novedades en Worksmith',
    paragraphs: [
      'Hola, {name}:',
      'esto ha pasado en Worksmith y aún no lo has leído:',
      '{items}',
      'Recibes este correo porque así lo pediste; el ajuste «notify» de tu perfil lo desactiva.',
    ],
  },
  container_archived: {
    subject: '{place} se ha archivado',
    paragraphs: [
      'Hola, {name}:',
      '{sender} ha archivado {place}, que también es de tu propiedad. Nadie puede cambiarlo hasta que se restaure.',
      'Cualquier propietario puede restaurarlo con todo su trabajo.',
    ],
  },
  container_erasure: {
    subject: '{place} se va a borrar',
    paragraphs: [
      'Hola, {name}:',
      '{sender} ha pedido borrar {place}, que también es de tu propiedad. A partir del {date}, todo su contenido se eliminará para siempre.',
      'Hasta entonces, cualquier propietario puede detener el borrado: restaura {place} o envía DELETE a {path}.',
    ],
  },
  container_erasure_stopped: {
    subject: '{place} no se va a borrar',
    paragraphs: ['Hola, {name}:', '{sender} ha detenido el borrado de {place}, que también es de tu propiedad.'],
  },
  endeavour_transfer_requested: {
    subject: '{sender} quiere transferir {place}',
    paragraphs: [
      'Hola, {name}:',
      '{sender} quiere transferir {place}, que también es de tu propiedad, a la organización {target} ({target_id}). Pasará a ser de sus propietarios.',
      'Decide un segundo propietario: si estás de acuerdo, envía POST a {path} con ese organization_id. Si no, no tienes que hacer nada.',
    ],
  },
  endeavour_transferred: {
    subject: '{place} se ha transferido',
    paragraphs: [
      'Hola, {name}:',
      '{sender} ha transferido {place}, que también era de tu propiedad, a la organización {target}. Ahora es de sus propietarios.',
    ],
  },
  endeavour_unlinked: {
    subject: '{place} ya no está vinculado a {target}',
    paragraphs: [
      'Hola, {name}:',
      '{sender} ha terminado el vínculo de {place}, que es o era de tu propiedad, con la organización {target}.',
      'Si era su organización de origen, {place} es ahora solo de sus propietarios directos.',
    ],
  },
  email_assigned: {
    subject: 'Tu cuenta usa esta dirección de correo',
    paragraphs: [
      'Hola, {name}:',
      'El directorio de tu organización ha cambiado la dirección de tu cuenta de Worksmith a {new_email}.',
      'Si no es correcto, avisa a tu administración.',
    ],
  },
  scim_token_expiring: {
    subject: 'Un token de aprovisionamiento de {place} caduca',
    paragraphs: [
      'Hola, {name}:',
      'El token de aprovisionamiento "{token_name}" de {place}, que también es de tu propiedad, caduca el {date}. Después, tu directorio no podrá cambiar cuentas.',
      'Crea uno nuevo, introdúcelo en tu directorio y borra el antiguo.',
    ],
  },
  last_owner_dismissed: {
    subject: '{place} ha perdido a su último propietario',
    paragraphs: [
      'Hola, {name}:',
      'El directorio de {place} ha dado de baja a {person}, la única persona propietaria activa. Se cerraron sus sesiones y tokens de acceso; el rol se mantiene para que la organización tenga a alguien.',
      'Da el rol a otra persona.',
    ],
  },
};
