import { type DrawsNumber, drawValue, hasValueForm } from '../project/key-value'

/** Text with which the token of a machine begins. */
const PREFIX = 'mt_live_'

/** Returns a new token of a machine. Its form is that of an API key, with another prefix. */
export const drawMachineToken = (int: DrawsNumber): string => drawValue(PREFIX, int)

/** Whether a text has the form and the checksum of a machine's token. A mistyped token is thus refused without reading the storage. */
export const isMachineToken = (text: string): boolean => hasValueForm(PREFIX, text)
