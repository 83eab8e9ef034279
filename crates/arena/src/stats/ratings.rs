//! Ratings of many players from all their games.
