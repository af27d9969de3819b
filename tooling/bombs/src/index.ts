/** Files and projects that are made to hang or overflow anyone who reads them. */
export { type Bomb, oneOfEachKind, textBombs } from "./textBombs.ts"
export { type FolderBomb, folderBombs } from "./folderBombs.ts"
export { type ImportBomb, importBombs } from "./importBombs.ts"
export { hostileNames } from "./hostileNames.ts"
export { slowness } from "./slowness.ts"
export { busyMillis, type Watchdog, watchThread } from "./Watchdog.ts"
