/** Commands by their ids in the manifest. */

/** Each takes what it is about, as lenses, links and menus say it, and rejects with words for the user. */
export type Commands = Readonly<Record<string, (argument: unknown) => Promise<void>>>
