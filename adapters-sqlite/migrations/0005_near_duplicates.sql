-- By what copies of an article's text are recognised: the bits of a SimHash, and how many runs of words it was made of.
-- Texts that are nearly the same share at least one quarter of the bits; each quarter has an index.

ALTER TABLE article_history ADD COLUMN simhash BIGINT;
ALTER TABLE article_history ADD COLUMN shingles BIGINT;

CREATE INDEX article_history_band_0 ON article_history (tenant_id, (simhash & 65535))
    WHERE simhash IS NOT NULL;
CREATE INDEX article_history_band_1 ON article_history (tenant_id, (simhash >> 16 & 65535))
    WHERE simhash IS NOT NULL;
CREATE INDEX article_history_band_2 ON article_history (tenant_id, (simhash >> 32 & 65535))
    WHERE simhash IS NOT NULL;
CREATE INDEX article_history_band_3 ON article_history (tenant_id, (simhash >> 48 & 65535))
    WHERE simhash IS NOT NULL;
