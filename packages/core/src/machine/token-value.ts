import { type DrawsNumber, drawValue, isKeyValue } from '../project/key-value'

const PREFIX = 'mt_live_'
const SHAPE = /^mt_live_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/

/** Returns a new token of a machine. Its form is that of an API key, with another prefix. */
export const drawMachineToken = (int: DrawsNumber): string => drawValue(PREFIX, int)

/** Whether a text has the form and the checksum of a machine's token. */
export const isMachineToken = (text: string): boolean => isKeyValue(text, SHAPE)
