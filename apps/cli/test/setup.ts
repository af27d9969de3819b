/** Files of tests share their modules, and so the folders that they make: each file removes its own. */
import { afterAll } from "vitest"
import { removeFolders } from "./folders.ts"

afterAll(removeFolders)
