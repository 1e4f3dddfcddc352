/** Returns the place at which the path of a URL begins: the third slash of `http://host:port/path?query`. */
export const pathStart = (url: string): number => url.indexOf('/', url.indexOf('//') + 2)
