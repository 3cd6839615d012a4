import { askFirst } from './frame/ahead.ts';
import { place } from './frame/router.ts';

// The build puts this file and its imports into a separate bundle, which browsers run before they have compiled the
// rest of the page, so the first answers are already on their way. A sign-in link must sign in before the first request.
if (location.hash === '') askFirst(place.value);
