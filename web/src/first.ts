import { askFirst } from './frame/ahead.ts';
import { place } from './frame/router.ts';

// The build puts this file and what it needs into a file of its own, which a browser runs before it has compiled the
// rest of the page: the first answers are on their way meanwhile. A sign-in link must sign in before anything is asked.
if (location.hash === '') askFirst(place.value);
