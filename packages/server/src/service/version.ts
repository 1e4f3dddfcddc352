import { version } from '../../package.json'

/** Version of this package, as published. */
export const VERSION: string = version
