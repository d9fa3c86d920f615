-- The same name in composed and in decomposed form was two users. Those that stand alone are composed now; where there
-- are two, both stay as they are, and sign in as they are written.

update users u set username = normalize(username, nfc)
where username is not nfc normalized
  and not exists (
    select from users o
    where o.user_id <> u.user_id and normalize(o.username, nfc) = normalize(u.username, nfc)
  );
